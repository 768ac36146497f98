"""The model gateway: runs that hold a lease ask the model through it, and the key stays here."""
