"""Adapters against the real thing: git itself, HTTP servers on loopback, no patching."""
