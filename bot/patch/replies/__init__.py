"""The replies of models: whatever shape the patch in one has, read into edits."""
