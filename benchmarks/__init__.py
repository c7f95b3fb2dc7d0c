"""What should be fast, measured beside a peer in the same run. README.md says which command measures what."""
