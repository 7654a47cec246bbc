"""What code refers to by names: modules, functions, files, and what a module hands on."""
