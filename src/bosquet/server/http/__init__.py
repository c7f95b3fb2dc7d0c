"""The web application: what all wings hand over is collected; static files; bounds of raw connections."""
