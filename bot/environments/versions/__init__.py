"""Other versions of a project, out of git's objects, a directory or a diff; nothing of git is run."""
