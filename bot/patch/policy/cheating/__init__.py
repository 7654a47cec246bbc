"""What deceives tests: answers learnt by heart, hooks, hidden failures, taken names."""
