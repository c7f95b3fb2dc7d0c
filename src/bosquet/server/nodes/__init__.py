"""The processes that share tables: what they tell each other, over a bus."""
