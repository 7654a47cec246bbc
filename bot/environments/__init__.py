"""How a project's tests are run here: the sandbox, the environment and the command, chosen by trying."""
