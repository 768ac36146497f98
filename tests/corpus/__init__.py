"""Documents by others, which are not part of this repository: `make corpus FOLDER=…`."""
