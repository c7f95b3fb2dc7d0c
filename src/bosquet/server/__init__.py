"""The server: pages, live games, bots and analysis over HTTP and WebSocket. `bosquet serve` runs it."""
