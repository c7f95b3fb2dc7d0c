"""What tests of files for hosts share."""
