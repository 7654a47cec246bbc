"""The patch core: edit model, parsing of replies, unified diffs, the policy gate, minimisation.

Pure functions over texts: nothing here reads a file, runs a process or knows who proposed a patch.
"""
