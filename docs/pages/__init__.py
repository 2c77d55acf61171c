"""Pictures of the pages, and what takes them."""
