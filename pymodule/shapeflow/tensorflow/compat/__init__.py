"""Which TensorFlow a program was written for, and what programs of old versions expect."""
