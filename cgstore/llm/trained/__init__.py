"""Models that `cgstore finetune` trained to write programs; the backend is called `hf:FOLDER`."""
