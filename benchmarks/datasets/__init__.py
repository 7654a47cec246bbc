"""What is repaired: data sets, collections of broken programs, and the judge of HumanEvalFix."""
