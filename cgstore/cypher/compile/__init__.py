"""A plan compiled to Cypher: each step, the answer, the notes and the evidence."""
