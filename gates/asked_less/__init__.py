"""What a diff asks less of than base: requirements, limits, checks, lint rules."""
