"""The folder of a plugin that runs in a project's own environment; nothing here imports it."""
