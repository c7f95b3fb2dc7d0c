"""What learned values of every game need: small networks of integers, how they are fitted, and files of training."""
