"""Where trials run: here (``local``) or on a Ray cluster (``distributed``); the same rows from both."""
