"""The way to a table: lists of tables, pairing, invitations, and who is here now."""
