"""Objects and namespaces that are not the code's own."""
