"""Models over Anthropic-compatible Messages APIs."""
