"""The words that planning prompts are made of: text files, reviewed as such, filled by `material`."""
