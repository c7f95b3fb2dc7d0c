"""The database: its tables, reading and writing, and the data folder with its key."""
