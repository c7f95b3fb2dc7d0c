"""What tests of environments write down."""
