"""What stands between a line and the `node` that it starts for tests."""
