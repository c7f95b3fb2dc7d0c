"""Those who are connected to a table: who they are, what each may see, and what each is sent."""
