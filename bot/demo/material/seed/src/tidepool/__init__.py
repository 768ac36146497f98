"""Tidepool keeps the gear shed of a beach club."""

__version__ = "0.3.0"
