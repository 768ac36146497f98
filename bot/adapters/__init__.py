"""GitHub, git, store, model, blobs, doorbell, quota: each implements one port or more."""
