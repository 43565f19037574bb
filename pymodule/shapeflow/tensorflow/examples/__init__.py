"""tensorflow.examples, as far as scripts import it."""
