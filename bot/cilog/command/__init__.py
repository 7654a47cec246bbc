"""Recover how a log's tests were run: ``recovered`` finds the command, the others say it for a checkout."""
