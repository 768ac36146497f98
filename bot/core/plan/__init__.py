"""The plan by rules, operations on plans, and the check that every plan must pass."""
