"""Read the reports of other test runners than pytest: unittest and its relatives, doctest, JUnit XML."""
