"""Which files a patch may touch, and what their characters show."""
