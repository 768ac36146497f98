"""The words that planning questions are made of: text files, reviewed as such, filled by `material`."""
