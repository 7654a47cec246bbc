"""All that has to do with a model: what it is shown and asked, and how its replies are read."""
