"""What the unchanged project does: which tests fail because of the code, and which do not count."""
