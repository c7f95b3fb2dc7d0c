"""Several nodes that share tables, with PostgreSQL and Redis."""
