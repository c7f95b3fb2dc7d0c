"""What every wing of the server uses: refusals, the clock, limits, metrics, logs, bodies and files."""
