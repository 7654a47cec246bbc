"""Read tracebacks and crashes of the interpreter, in a report or outside of any."""
