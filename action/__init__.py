"""The program on the runner: fetch an order, carry it out in a sandbox, hand the outcome back."""
