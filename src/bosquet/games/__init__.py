"""The games of this package, each in a folder of its own."""
