"""Imported last by a process that others are forked from."""

import gc

# The collector writes to objects that it examines, and a written page is no longer shared.
gc.collect()
gc.freeze()
