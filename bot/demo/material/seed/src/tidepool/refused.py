"""The one way in which Tidepool says no."""


class Refused(Exception):
    """Something cannot be done; the message is a sentence for the person at the desk."""
