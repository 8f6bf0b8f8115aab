"""The boxes of the theory, in order: perturb, split, assign, classify, cluster, ..."""
