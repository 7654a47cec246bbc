"""Would the tests notice? Mutants of functions, each tried by the tests that run the function it is in."""
