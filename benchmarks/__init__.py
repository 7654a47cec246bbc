"""Measurements of Regreen: datasets laid out as projects, repaired through the same path as a user's."""
