"""The computer below: files, processes, optional libraries."""
