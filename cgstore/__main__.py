"""`python -m cgstore`: the command line."""

from cgstore.cli import main

main(prog_name="cgstore")
