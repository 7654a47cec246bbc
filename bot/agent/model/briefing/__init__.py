"""What a model is shown of a failure: pieces by priority, as many as a number of tokens holds."""
