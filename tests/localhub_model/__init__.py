"""Tests of the scripted model server with the real clients of both APIs."""
