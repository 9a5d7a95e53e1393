"""Questions of an analyst over three messy related tables, with gold answers computed by pandas."""

from pathlib import Path

FOLDER = Path(__file__).parent
