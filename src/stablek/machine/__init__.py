"""What this computer offers: memory and threads."""
