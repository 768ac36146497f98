"""Gates: programs that judge a tree or a diff, with one of five endings."""
