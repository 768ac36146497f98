"""The Actions service and its runner, as stories and tables."""
