"""Games as questions to an engine with the answers of Python, and programs that put such questions."""
