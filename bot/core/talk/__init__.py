"""Values to Markdown: every sentence that people read, and the table of commands."""
