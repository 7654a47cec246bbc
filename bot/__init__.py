"""Regreen: reads a failing test run, finds the smallest verified patch, delivers it."""

__version__ = "0.1.0"
