"""The gate `review`: a model reads a candidate's diff. What it is shown, and what of its words is believed. Pure."""
