"""What an answer rests on, and how answers and sources are shown."""
