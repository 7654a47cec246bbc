"""One candidate after the other: tried on a warm testbed, by several workers, and built upon."""
