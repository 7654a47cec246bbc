"""Classes: what their objects equal and hold, and what makes another of them."""
