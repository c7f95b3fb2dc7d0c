"""Games that were played: history, records and ratings."""
