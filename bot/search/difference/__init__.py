"""The change that is suspected: its base version, its smallest parts, and which of them make tests fail."""
