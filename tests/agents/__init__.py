"""Agents' programs as people install them, tried on scripted models; `make agents` sets them up."""
