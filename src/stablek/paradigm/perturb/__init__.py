"""Step 1: data generation and perturbation (thesis, sections 1.4 and 1.5)."""
