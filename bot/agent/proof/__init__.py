"""Why a patch can be believed: which tests are run on it, control tests, and the rehearsal of all that."""
