"""Would the tests notice? Mutants of our modules, each tried by the tests that run the function it is in."""
