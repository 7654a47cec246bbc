"""Read pytest's sessions: ``parser`` takes their lines, ``failures`` says what failed in one."""
