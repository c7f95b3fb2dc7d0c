"""Notices to people who are away: Web Push and e-mail."""
