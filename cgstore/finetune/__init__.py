"""The training of models that write programs; `cgstore.llm.trained` asks them.

- `data`: pairs of a question and its program, as the files from which models are trained.
- `methods`, `training`: fine-tuning with transformers, peft and trl.
"""
