"""Coding agents of others: programs that change a copy of the project, and are trusted with nothing else."""
