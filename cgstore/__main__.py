"""`python -m cgstore`: the command line."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, whose modules nobody asked for; `cgstore` does not look there either

from cgstore.cli import main

main(prog_name="cgstore")
