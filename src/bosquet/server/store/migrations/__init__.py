"""The forms that the database has had, one file a change."""
