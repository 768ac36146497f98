"""The sentence about an effect that waits because of GitHub's limits."""


def waits_for_limits() -> str:
    """Why something is not there yet: GitHub limits what may be created in a minute and an hour."""
    return (
        "Headgate has reached GitHub's rate limit for the App. This waits until the limit is reset."
    )
