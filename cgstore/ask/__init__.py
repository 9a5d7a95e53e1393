"""From a question or a program to an answer."""
