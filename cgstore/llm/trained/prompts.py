"""What a trained model reads: the same text in its training and when it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Example:
    """A line of a training file, or a question to be asked, whose output is empty."""

    instruction: str
    input: str
    output: str = ""

    @property
    def prompt(self) -> str:
        """The instruction and the input, a line each."""
        return "\n".join(filter(None, (self.instruction, self.input)))


def as_input(question: str) -> str:
    """The question in the form in which a model gets it (ChatKBQA)."""
    return f"Question: {{ {question} }}"


def prompt_and_completion(tokenizer: Any, example: Example) -> dict[str, Any]:
    """An example as trl takes it: as chat messages where the model has a template for them, else as text."""
    if tokenizer.chat_template:
        roles = ("user", example.prompt), ("assistant", example.output)
        messages = [{"role": role, "content": content} for role, content in roles]
        return {"prompt": messages[:1], "completion": messages[1:]}
    return {"prompt": f"{example.prompt}\n", "completion": example.output}
