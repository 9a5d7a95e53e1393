"""The training of models that write programs; `cgstore.llm.small` and `cgstore.llm.trained` ask them.

- `corpora` (questions with programs over sources in `memory`), `adapter` (LoRA for the small model), `lexicon` and
  `calibration` (for its check), `pipeline` (all of it in one run, or a user's own questions over the graph).
- `data`: pairs of a question and its program, as the files from which models are trained.
- `training`: fine-tuning with transformers, peft and trl.
"""
