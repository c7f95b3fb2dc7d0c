"""People at a server, what is kept for them, and stand-ins for all that a server talks to."""
