"""Gates: programs that judge a tree or a diff and say one of five things about it."""
