"""Tests of the scripted model server, held to the real clients of both APIs."""
