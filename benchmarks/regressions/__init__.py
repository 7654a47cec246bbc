"""Regressions that look like pull requests: from one release of a library to a later one, with a fault in it.

``make`` puts faults into functions that the releases have differently, ``work`` repairs each with the older
release as base and without it.
"""
