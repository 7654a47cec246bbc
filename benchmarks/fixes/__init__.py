"""A corpus of real fixes, mined from public histories, and what the engine can express of it.

Only commit ids, paths and counts are kept, never code.
"""
