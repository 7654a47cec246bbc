"""What is read of a log besides reports of tests: its steps, environments, evidence, installed versions."""
