"""What the command line is made of: each command's own code, and what all of them print with."""
