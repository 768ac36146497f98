"""What is different about each agent program: how it is started, and what its lines mean."""
