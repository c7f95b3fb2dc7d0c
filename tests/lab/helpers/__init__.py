"""What tests of the lab need."""
