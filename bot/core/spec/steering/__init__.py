"""Which files decide how gates and setup run: by name, by what a line names, by what they shadow."""
