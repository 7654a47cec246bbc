"""The commands of ``python -m benchmarks``, one kind a file."""
