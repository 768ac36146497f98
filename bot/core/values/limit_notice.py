"""The sentence about an effect that waits because of GitHub's limits."""


def waits_for_limits() -> str:
    """Why something is not there yet: GitHub limits what may be created in a minute and an hour."""
    return "GitHub's limits for one App are spent for now; this waits until they are not."
