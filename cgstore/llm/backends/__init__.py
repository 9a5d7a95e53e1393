"""The backends: `write` (an LLM writes programs, after `explore` if it may), `rewrite` (no LLM); see `cgstore.llm`."""
