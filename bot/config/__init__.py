"""What can be configured, what a run works with, and where that comes from."""
