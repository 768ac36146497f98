"""The pure core: values in, values out; it cannot observe and cannot fail."""
