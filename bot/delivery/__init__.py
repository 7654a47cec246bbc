"""Handing a verified patch over: to the working tree, to a file, to GitHub, to a person's eyes."""
