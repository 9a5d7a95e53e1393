"""Models that `cgstore finetune` trained to write programs; the backend is called `hf:FOLDER`.

- `names`: the names and times of a question replaced by placeholders, and put back into what a model writes.
- `prompts`: what a model reads.
- `generation`: what it writes for a question, the best candidate first.
- `backend`: its candidates, run until one answers.
"""
