"""GitHub's workflow files: their jobs, one for each combination, with expressions evaluated."""
