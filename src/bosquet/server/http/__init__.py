"""The web application: routes of all wings, static files, and the guards of raw connections."""
