"""What follows from the state and what was observed; one file a decision."""
