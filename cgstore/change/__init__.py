"""Changes of sources that are loaded: facts are added, replaced, removed, corrected and closed; and undone again."""
