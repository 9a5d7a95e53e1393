"""What contradicts itself in a source, or looks as if it did, for a person to decide. Nothing is changed here."""
