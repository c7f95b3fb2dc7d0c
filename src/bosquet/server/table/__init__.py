"""One table: its game, its journal, the people and bots who sit there, its chat, and what its viewers are sent."""
