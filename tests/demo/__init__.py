"""The demo: its pieces, planted faults for its verdict, and the whole of it as a process."""
