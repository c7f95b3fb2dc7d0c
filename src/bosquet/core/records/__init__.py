"""Games on file: records, duels, and deals that can be verified."""
