"""Programs for those who run a server: serving, backups, checks."""
