"""Random numbers and the seeds that they come from, the same on every machine."""
