"""Reports for people: pages of text, tables and plots that say what was found."""
