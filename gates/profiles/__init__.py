"""What Headgate knows of kinds of projects, one profile each; others come from plugins."""
