"""What is installed for a project: plans made of its declarations, its CI and a log."""
