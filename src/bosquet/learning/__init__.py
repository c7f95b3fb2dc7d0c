"""Values that are learned by self-play: small networks of integers, how they are fitted, and runs of training."""
