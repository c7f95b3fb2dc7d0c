"""Worker processes, the queue of their work, and what they work out: decisions, replays."""
