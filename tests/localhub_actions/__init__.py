"""Tests of the Actions service and its runner."""
