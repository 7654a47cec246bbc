"""The steps of the loop. Each takes the state and the context, and returns what changed."""
