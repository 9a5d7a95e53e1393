"""Models that learn to write programs: their data, their training, and what they generate.

- `names`: the names and times of a question replaced by placeholders, and put back into what a model writes.
- `data`: pairs of a question and its program, as the files from which models are trained.
- `small_model`: an encoder-decoder of a few million weights that is trained from nothing, with its tokenizer.
- `methods`, `training`: fine-tuning with transformers, peft and trl.
- `generation`: what a trained model writes for a question, the best candidate first.
"""
