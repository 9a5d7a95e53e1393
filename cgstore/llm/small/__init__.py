"""The small model: a language model of 135 million parameters that writes programs in this process."""
