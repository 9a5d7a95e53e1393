"""Training of the small model's adapter: LoRA (Hu et al. 2021) on the upper layers of the base, on a CPU or a GPU.

The questions over one schema are packed behind it, and a mask keeps them from seeing each other: the schema is read
once for all of them. Loss is taken of the programs alone. The state is saved every few minutes, and the same command
resumes.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, optional
from cgstore.observe.progress import bar
from cgstore.options import Options, option

RANK, ALPHA = 16, 32
"""Rank of the adapter's matrices, and the weight of their product times the rank."""

PACKED = 8
"""Most questions behind one schema in one sequence."""

SEQUENCE = 640
"""Most tokens of a sequence."""

TOGETHER = 800
"""Most tokens that are read at once, padding counted: more do not make a CPU faster."""

STATE, LOG, ADAPTER = "state.pt", "log.jsonl", "adapter.gguf"

SAVED_EVERY = 300.0
"""Seconds of training between two states that are kept."""

Schema = tuple[str, Sequence[tuple[str, str]]]
"""A schema with some questions over it and their programs, as they are read and written."""

Packed = tuple[list[int], list[int], list[int], list[int]]
"""Of each token of a sequence: its id, its position, the question that it belongs to (0: the schema), and the token of
the program that follows it, or -1."""


@dataclass(frozen=True)
class AdapterSettings(Options):
    """How an adapter is trained."""

    layers: int = option(18, "Upper layers that learn.", within=(1, 30))
    rate: float = option(1e-3, "The highest learning rate, which falls to a twentieth of it.")
    epochs: float = option(1, "Times that the data are read.")
    tokens: int = option(700, "Tokens of a step, padding counted.", within=(1, None))
    warm_up: int = option(10, "Steps until the highest rate.")
    seed: int = option(0, "Of what is drawn, its order and the new weights.")
    threads: int | None = option(None, "Of PyTorch on a CPU.", unset="its own choice", within=(1, None))


def pack(tokenize: Any, schema: str, questions: Sequence[tuple[str, str]], end: int) -> Packed | None:
    """A sequence of a schema and the questions over it; None if not even one has room."""
    ids = list(tokenize(schema))
    head = len(ids)
    positions, blocks, targets = list(range(head)), [0] * head, [-1] * head
    for number, (asked, answer) in enumerate(questions, 1):
        question, program = list(tokenize(asked)), [*tokenize(answer), end]
        sequence = question + program[:-1]
        if len(ids) + len(sequence) > SEQUENCE:
            break
        ids += sequence
        positions += range(head, head + len(sequence))
        blocks += [number] * len(sequence)
        targets += [-1] * (len(question) - 1) + program
    return (ids, positions, blocks, targets) if len(ids) > head else None


def sequences(groups: Sequence[Schema], draw: random.Random) -> list[Schema]:
    """The questions of each schema in sequences of at most `PACKED`, in any order."""
    every: list[Schema] = []
    for schema, questions in groups:
        shuffled = list(questions)
        draw.shuffle(shuffled)
        every += [(schema, shuffled[at : at + PACKED]) for at in range(0, len(shuffled), PACKED)]
    draw.shuffle(every)
    return every


def collate(torch: Any, batch: Sequence[Packed]) -> tuple[Any, Any, Any, Any]:
    """Ids, positions, mask (batch, 1, tokens, tokens), and targets of some sequences."""
    longest = max(len(ids) for ids, *_ in batch)
    ids, positions, blocks, targets = (torch.zeros(len(batch), longest, dtype=torch.long) for _ in range(4))
    blocks -= 1
    targets -= 1
    for row, (of_ids, of_positions, of_blocks, of_targets) in enumerate(batch):
        n = len(of_ids)
        ids[row, :n], positions[row, :n] = torch.tensor(of_ids), torch.tensor(of_positions)
        blocks[row, :n], targets[row, :n] = torch.tensor(of_blocks), torch.tensor(of_targets)
    mask = (blocks[:, :, None] == blocks[:, None, :]) | (blocks[:, None, :] == 0)
    mask &= torch.ones(longest, longest, dtype=torch.bool).tril()
    return ids, positions, mask[:, None], targets


def load_base(weights: Path) -> tuple[Any, Any]:
    """The base and its tokenizer from a GGUF file, with dequantised weights."""
    transformers, torch = optional("transformers", "finetune"), optional("torch", "finetune")
    given = {"pretrained_model_name_or_path": str(weights.parent), "gguf_file": weights.name}
    model = transformers.AutoModelForCausalLM.from_pretrained(**given, dtype=torch.float32)
    return model, transformers.AutoTokenizer.from_pretrained(**given)


def train_adapter(
    weights: Path,
    data: Path,
    out: Path,
    settings: AdapterSettings,
    *,
    seconds: float = math.inf,
    start: Path | None = None,
) -> Path:
    """Trains until the data are read or the time is over, and writes `adapter.gguf`.

    A folder with a state of the same data continues where it was; with one of other data, its weights learn on.

    Args:
        weights: the base as GGUF.
        data: JSON of [schema, [[asked, answer], ...]] lists (`corpora`).
        start: the adapter whose weights are learnt on, a GGUF file; None: new weights.

    Raises:
        BadInput: the data hold nothing to learn, or the adapter has other layers.
        KeyboardInterrupt: after Ctrl-C, when the state is saved.
    """
    order = _in_order(data, settings)
    training = _Training(weights, out, settings, start)
    run = training.resumed(f"{data.name} {len(order)}")
    saved, last = time.monotonic(), time.monotonic()
    shown = bar("Training", "sequences", len(order), initial=run["place"])
    with (out / LOG).open("a", encoding="utf-8") as log, shown, training.saving():
        while run["place"] < len(order) and run["spent"] < seconds:
            batch = training.batch(order)
            share = max(run["place"] / len(order), run["spent"] / seconds)
            shown.update(run["place"] - shown.n)
            loss, rate = training.step(batch, share) if batch else (0.0, 0.0)
            now = time.monotonic()
            run["spent"], last = run["spent"] + now - last, now
            log.write(json.dumps({**run, "loss": round(loss, 4), "rate": rate}) + "\n")
            log.flush()
            shown.set_postfix_str(f"loss {loss:.3f}")
            if now - saved > SAVED_EVERY:
                training.save()
                saved = now
    return out / ADAPTER


def _in_order(data: Path, settings: AdapterSettings) -> list[Schema]:
    """What is read, sequence by sequence."""
    try:
        groups: list[Schema] = [
            (schema, [(str(asked), str(answer)) for asked, answer in questions])
            for schema, questions in json.loads(data.read_text(encoding="utf-8"))
        ]
    except (OSError, ValueError, TypeError) as error:
        raise BadInput(f"{data} has no examples of the small model.", "`cgstore finetune mine` writes them.") from error
    draw = random.Random(settings.seed)
    every = [each for _ in range(math.ceil(settings.epochs)) for each in sequences(groups, draw)]
    if not every:
        raise BadInput(f"{data} has no questions to learn from.")
    return every[: max(1, round(len(every) * settings.epochs / math.ceil(settings.epochs)))]


class _Training:
    """A model that learns, with its optimiser; `run` says how far it is."""

    def __init__(self, weights: Path, out: Path, settings: AdapterSettings, start: Path | None) -> None:
        self._torch = torch = optional("torch", "finetune")
        peft = optional("peft", "finetune")
        if settings.threads:
            torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        model, self._tokenizer = load_base(weights)
        layers = model.config.num_hidden_layers
        learns = list(range(layers - settings.layers, layers))
        config = peft.LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=list(NAMES), layers_to_transform=learns)
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = peft.get_peft_model(model, config).to(self._device)
        self._weights = {name: each for name, each in self._model.named_parameters() if each.requires_grad}
        self._optimiser = torch.optim.AdamW(
            self._weights.values(), lr=settings.rate, weight_decay=0.0, betas=(0.9, 0.98)
        )
        self._out, self._settings = out, settings
        self.run: dict[str, Any] = {}
        if start is not None:
            self._take(read_gguf(start, self._weights, model.config))
        out.mkdir(parents=True, exist_ok=True)

    def _take(self, weights: dict[str, Any]) -> None:
        with self._torch.no_grad():
            for name, each in self._weights.items():
                each.copy_(weights[name])

    def resumed(self, data: str) -> dict[str, Any]:
        """How far the training on some data is, after what the folder has of it."""
        self.run = {"place": 0, "step": 0, "questions": 0, "spent": 0.0, "data": data}
        if (self._out / STATE).exists():
            saved = self._torch.load(self._out / STATE, weights_only=False)
            self._take(saved["weights"])
            self._optimiser.load_state_dict(saved["optimiser"])
            is_same = saved["run"]["data"] == data
            self.run = saved["run"] if is_same else {**self.run, "step": saved["run"]["step"]}
        return self.run

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Saves the state in the end, also where the training is interrupted."""
        try:
            yield
        except KeyboardInterrupt as interrupt:
            interrupt.add_note("The state is saved: the same command resumes the training.")
            raise
        finally:
            self.save()

    def save(self) -> None:
        """Keeps the state, and writes the adapter and its settings."""
        kept = {name: each.detach().cpu() for name, each in self._weights.items()}
        new = self._out / f"{STATE}.new"
        self._torch.save({"weights": kept, "optimiser": self._optimiser.state_dict(), "run": self.run}, new)
        new.replace(self._out / STATE)
        write_gguf(kept, self._model.config, ALPHA, self._out / ADAPTER)
        (self._out / "settings.json").write_text(json.dumps(asdict(self._settings)), encoding="utf-8")

    def batch(self, order: Sequence[Schema]) -> list[Packed]:
        """The next sequences, of so many tokens as a step has."""
        batch: list[Packed] = []
        while self.run["place"] < len(order) and sum(len(each[0]) for each in batch) < self._settings.tokens:
            schema, questions = order[self.run["place"]]
            packed = pack(self._tokens, schema, questions, self._tokenizer.eos_token_id)
            self.run["place"] += 1
            if packed:
                batch.append(packed)
                self.run["questions"] += max(packed[2])
        return batch

    def _tokens(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    def step(self, batch: Sequence[Packed], share: float) -> tuple[float, float]:
        """Learns from a batch, after this share of the training; returns the loss of a token and the rate."""
        torch, settings, base = self._torch, self._settings, self._model.get_base_model()
        rate = settings.rate * min(1.0, (self.run["step"] + 1) / settings.warm_up)
        rate *= max(0.05, 1 - share)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        wanted = sum(target >= 0 for *_, targets in batch for target in targets)
        total = 0.0
        for part in _of_similar_length(batch):
            ids, positions, mask, targets = (each.to(self._device) for each in collate(torch, part))
            read = base.model(input_ids=ids, position_ids=positions, attention_mask=mask, use_cache=False)
            learnt = targets >= 0
            logits = base.lm_head(read.last_hidden_state[learnt])
            loss = torch.nn.functional.cross_entropy(logits.float(), targets[learnt], reduction="sum") / wanted
            loss.backward()
            total += float(loss.detach())
        torch.nn.utils.clip_grad_norm_(list(self._weights.values()), 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self.run["step"] += 1
        return total if math.isfinite(total) else float("inf"), rate


def _of_similar_length(batch: Sequence[Packed]) -> Iterator[list[Packed]]:
    """The sequences of a batch in parts of at most `TOGETHER` tokens, padding counted."""
    part: list[Packed] = []
    for each in sorted(batch, key=lambda packed: len(packed[0])):
        if part and (len(part) + 1) * len(each[0]) > TOGETHER:
            yield part
            part = []
        part.append(each)
    yield part


# The file of an adapter in GGUF, and its matrices as transformers and peft have them

NAMES = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
"""The modules of a layer that learn, with their names in GGUF."""


def write_gguf(weights: dict[str, Any], config: Any, alpha: float, path: Path) -> None:
    """Writes the matrices of an adapter as llama.cpp reads them."""
    gguf, numpy = optional("gguf", "finetune"), optional("numpy", "finetune")
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(alpha))
    for name, tensor in sorted(weights.items()):
        stored, heads = _stored(name, config)
        matrix = tensor.float().numpy()
        if heads:
            matrix = matrix.reshape(heads, 2, -1, matrix.shape[1]).swapaxes(1, 2).reshape(matrix.shape)
        writer.add_tensor(stored, numpy.ascontiguousarray(matrix, dtype=numpy.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def read_gguf(path: Path, names: Iterable[str], config: Any) -> dict[str, Any]:
    """The matrices of an adapter that `write_gguf` wrote, by their names in transformers.

    Raises:
        BadInput: the adapter lacks one of them.
    """
    gguf, torch = optional("gguf", "finetune"), optional("torch", "finetune")
    tensors = {each.name: each.data for each in gguf.GGUFReader(str(path)).tensors}
    found = {}
    for name in names:
        stored, heads = _stored(name, config)
        if stored not in tensors:
            raise BadInput(f"The adapter {path} has no {stored}: it has other layers.")
        matrix = tensors[stored]
        if heads:
            matrix = matrix.reshape(heads, -1, 2, matrix.shape[1]).swapaxes(1, 2).reshape(matrix.shape)
        found[name] = torch.tensor(matrix.astype("float32"))
    return found


def _stored(name: str, config: Any) -> tuple[str, int]:
    """The name of a matrix in GGUF, and the heads in which its rows have another order there, or 0.

    Transformers has the rows of queries and keys in halves of each head, llama.cpp in pairs; those of `B` are moved.
    """
    layer, module = name.split(".layers.")[1].split(".")[0], name.split(".lora_")[0].rsplit(".", 1)[1]
    side = "a" if ".lora_A." in name else "b"
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}.get(module, 0)
    return f"blk.{layer}.{NAMES[module]}.weight.lora_{side}", heads if side == "b" else 0
