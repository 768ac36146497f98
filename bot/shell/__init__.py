"""Observe, decide, append, perform: the only floor that uses ports to act."""
