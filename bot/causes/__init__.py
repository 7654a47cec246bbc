"""What an exception's type and message say of its cause, and which package brings what is missing."""
