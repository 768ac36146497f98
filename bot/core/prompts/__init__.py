"""What models are asked, how their replies are read, and the texts as files."""
