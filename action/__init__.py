"""The program on the runner: fetch an order, run it in a sandbox, hand back the result."""
