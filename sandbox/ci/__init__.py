"""What a project's CI configuration says of its tests: the job that runs them, what it installs, its command.

Everything here reads files and texts; nothing runs, and nothing is fetched. The files are untrusted.
"""
