"""How many names of tests a result holds: the contract of `GateResult`."""

PASSED_TESTS_MAX = 2_000
FAILED_TESTS_MAX = 200
