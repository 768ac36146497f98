"""What is asked of a real model, by hand: `make live`. No other test asks one."""
