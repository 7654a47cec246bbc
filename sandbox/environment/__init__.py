"""The environment that a project's tests run in: found, built where need be, kept for the next time."""
