"""The words that prompts about issues are made of: text files, reviewed as such, filled by `material`."""
