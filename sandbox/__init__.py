"""Runs untrusted code: providers of isolation, and the test runner that lives inside them.

This package imports nothing of ``bot``; it can be lifted out and used alone.
"""
