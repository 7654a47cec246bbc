"""What a project's files declare: each format has a reader, and all give ``Declared``."""
