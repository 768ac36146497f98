"""What tests say by their syntax, and what a change takes away from them."""
