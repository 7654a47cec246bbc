"""What takes how long: the deadline of each phase, testbeds that keep it, where the seconds went."""
