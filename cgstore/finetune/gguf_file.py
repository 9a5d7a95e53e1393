"""The file of an adapter in GGUF, as llama.cpp reads it, and its matrices as transformers and peft have them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, optional

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
