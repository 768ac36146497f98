"""The gallery: cheats by agents, each through to its verdict, and honest work that must land."""
