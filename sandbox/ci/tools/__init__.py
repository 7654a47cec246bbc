"""What tools run and install, by a project's files: tox, nox, hatch, make, and scripts with names."""
