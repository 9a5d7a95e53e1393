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
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.extras import optional

RANK, ALPHA = 16, 32
"""Rank of the adapter's matrices, and the weight of their product times the rank."""

MODULES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
GGUF_NAMES = dict(
    zip(MODULES, ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"), strict=True)
)

PACKED = 8
"""Most questions behind one schema in one sequence."""

SEQUENCE = 640
"""Most tokens of a sequence."""

TOGETHER = 800
"""Most tokens that are read at once, padding counted: more do not make a CPU faster."""

STATE, LOG = "state.pt", "log.jsonl"

Packed = tuple[list[int], list[int], list[int], list[int]]
"""Of each token of a sequence: its id, its position, the question that it belongs to (0: the schema), and the token of
the program that follows it, or -1."""


@dataclass(frozen=True)
class AdapterSettings:
    """How an adapter is trained.

    Args:
        layers: upper layers that learn.
        rate: the highest learning rate.
        tokens: of a step, padding counted.
        warm_up: steps until the highest rate.
        decay: whether the rate falls to a twentieth of it until the end.
        seed: of the order and of the new weights.
        threads: of torch on a CPU; None: its own choice.
    """

    layers: int = 18
    rate: float = 1e-3
    tokens: int = 700
    warm_up: int = 10
    decay: bool = True
    seed: int = 0
    threads: int | None = None


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


def sequences(
    groups: Sequence[tuple[str, Sequence[tuple[str, str]]]], draw: random.Random
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The questions of each schema in sequences of at most `PACKED`, in any order."""
    every = []
    for schema, questions in groups:
        shuffled = [(asked, answer) for asked, answer in questions]
        draw.shuffle(shuffled)
        every += [(schema, shuffled[at : at + PACKED]) for at in range(0, len(shuffled), PACKED)]
    draw.shuffle(every)
    yield from every


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


def train_adapter(weights: Path, data: Path, out: Path, settings: AdapterSettings, *, seconds: float) -> Path:
    """Trains until the data are read once or the time is over, and writes `adapter.gguf`.

    A folder with a state of the same data continues where it was; with one of other data, its weights learn on.

    Args:
        weights: the base as GGUF.
        data: JSON of [schema, [[asked, answer], ...]] lists (`corpora`).
        out: the folder of the state, the log and the adapter.
        settings: see there.
        seconds: the most that it may take.

    Raises:
        BadInput: the data hold nothing to learn.
        NoModel: a package is missing.
    """
    torch = optional("torch", "finetune")
    peft = optional("peft", "finetune")
    if settings.threads:
        torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    model, tokenizer = load_base(weights)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    lower = model.config.num_hidden_layers - settings.layers
    learns = list(range(lower, model.config.num_hidden_layers))
    config = peft.LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=list(MODULES), layers_to_transform=learns)
    model = peft.get_peft_model(model, config).to(device)
    weights_of = {name: each for name, each in model.named_parameters() if each.requires_grad}
    optimiser = torch.optim.AdamW(weights_of.values(), lr=settings.rate, weight_decay=0.0, betas=(0.9, 0.98))
    groups = json.loads(data.read_text(encoding="utf-8"))
    tokenize = lambda text: tokenizer(text, add_special_tokens=False)["input_ids"]  # noqa: E731
    order = list(sequences(groups, random.Random(settings.seed)))
    if not order:
        raise BadInput(f"{data} has no questions to learn from.")
    out.mkdir(parents=True, exist_ok=True)
    run: dict[str, Any] = {"place": 0, "step": 0, "questions": 0, "spent": 0.0, "data": f"{data.name} {len(order)}"}
    if (out / STATE).exists():
        saved = torch.load(out / STATE, weights_only=False)
        with torch.no_grad():
            for name, each in weights_of.items():
                each.copy_(saved["weights"][name])
        optimiser.load_state_dict(saved["optimiser"])
        same = saved["run"]["data"] == run["data"]
        run = saved["run"] if same else {**run, "step": saved["run"]["step"]}

    def save() -> None:
        kept = {name: each.detach().cpu() for name, each in weights_of.items()}
        torch.save({"weights": kept, "optimiser": optimiser.state_dict(), "run": run}, out / f"{STATE}.new")
        (out / f"{STATE}.new").replace(out / STATE)
        write_gguf(kept, model.config, out / "adapter.gguf")

    base, started, saved_at, spent = model.get_base_model(), time.monotonic(), time.monotonic(), run["spent"]
    log = (out / LOG).open("a", encoding="utf-8")
    while run["place"] < len(order) and spent < seconds:
        batch: list[Packed] = []
        while run["place"] < len(order) and sum(len(each[0]) for each in batch) < settings.tokens:
            schema, questions = order[run["place"]]
            packed = pack(tokenize, schema, questions, tokenizer.eos_token_id)
            run["place"] += 1
            if packed:
                batch.append(packed)
                run["questions"] += max(packed[2])
        share = max(run["place"] / len(order), spent / seconds)
        factor = min(1.0, (run["step"] + 1) / settings.warm_up) * (max(0.05, 1 - share) if settings.decay else 1.0)
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * factor
        loss = _step(torch, base, batch, optimiser, weights_of.values(), device)
        run["step"] += 1
        spent = run["spent"] = run["spent"] + time.monotonic() - started
        started = time.monotonic()
        log.write(json.dumps({**run, "loss": round(loss, 4), "rate": settings.rate * factor}) + "\n")
        log.flush()
        if time.monotonic() - saved_at > 300:
            save()
            saved_at = time.monotonic()
    save()
    (out / "settings.json").write_text(json.dumps(asdict(settings)), encoding="utf-8")
    return out / "adapter.gguf"


def _step(torch: Any, base: Any, batch: list[Packed], optimiser: Any, weights: Any, device: str) -> float:
    """One step over a batch; returns the loss of a token."""
    wanted = sum(target >= 0 for *_, targets in batch for target in targets)
    total = 0.0
    for part in _of_similar_length(batch):
        ids, positions, mask, targets = (each.to(device) for each in collate(torch, part))
        read = base.model(input_ids=ids, position_ids=positions, attention_mask=mask, use_cache=False)
        learnt = targets >= 0
        logits = base.lm_head(read.last_hidden_state[learnt])
        loss = torch.nn.functional.cross_entropy(logits.float(), targets[learnt], reduction="sum") / wanted
        loss.backward()
        total += float(loss.detach())
    torch.nn.utils.clip_grad_norm_(list(weights), 1.0)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return total if math.isfinite(total) else float("inf")


def _of_similar_length(batch: Sequence[Packed]) -> Iterator[list[Packed]]:
    """The sequences of a batch in parts of at most `TOGETHER` tokens, padding counted."""
    part: list[Packed] = []
    for each in sorted(batch, key=lambda packed: len(packed[0])):
        if part and (len(part) + 1) * len(each[0]) > TOGETHER:
            yield part
            part = []
        part.append(each)
    yield part


def write_gguf(weights: dict[str, Any], config: Any, path: Path) -> None:
    """Writes the matrices of an adapter as llama.cpp reads them.

    Transformers keeps the rows of queries and keys in another order than llama.cpp (halves instead of pairs, of each
    head), so those of `B` are put back.
    """
    gguf, numpy = optional("gguf", "finetune"), optional("numpy", "finetune")
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(ALPHA))
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    for name, tensor in sorted(weights.items()):
        layer, module = name.split(".layers.")[1].split(".")[0], name.split(".lora_")[0].rsplit(".", 1)[1]
        side = "a" if ".lora_A." in name else "b"
        matrix = tensor.float().numpy()
        if side == "b" and module in heads:
            count = heads[module]
            matrix = matrix.reshape(count, 2, -1, matrix.shape[1]).swapaxes(1, 2).reshape(matrix.shape)
        writer.add_tensor(
            f"blk.{layer}.{GGUF_NAMES[module]}.weight.lora_{side}", numpy.ascontiguousarray(matrix, dtype=numpy.float16)
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
