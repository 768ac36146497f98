"""What a gate's line finds in its environment, wherever it runs."""

# Paths to write a report to.
JUNIT_VARIABLE = "HEADGATE_JUNIT"
SARIF_VARIABLE = "HEADGATE_SARIF"
# The commit that a diff is taken against.
DIFF_BASE_VARIABLE = "HEADGATE_DIFF_BASE"
