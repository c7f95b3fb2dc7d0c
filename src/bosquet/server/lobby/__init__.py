"""The way to a table: lists of open tables, pairing, invitations."""
