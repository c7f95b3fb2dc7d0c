"""What people do in a browser: at tables, on the boards; how pages look, and the connections to them."""
