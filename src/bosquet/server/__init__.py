"""The table on the network: pages and live games over HTTP and WebSocket. `bosquet serve` runs it."""
