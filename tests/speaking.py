"""What models write, and the head of a file that holds one."""

from __future__ import annotations

import struct

from engrain.train.serving.calls import Call

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
LLAMA = (
    "{{ bos_token }}{% for m in messages %}{{ '<|start|>' + m.role + '<|stop|>\n' }}"
    "{% if m.tool_calls %}{% set f = m.tool_calls[0].function %}"
    '{{ \'{"name": "\' + f.name + \'", "parameters": \' }}{{ f.arguments | tojson }}{{ "}" }}'
    "{% else %}{{ m.content | trim }}{% endif %}{{ '<|eot|>' }}{% endfor %}"
    "{% if tools %}{% for t in tools %}{{ t | tojson }}{% endfor %}{% endif %}"
    "{% if add_generation_prompt %}{{ '<|start|>assistant<|stop|>\n' }}{% endif %}"
)
A = Call("Read", {"file_path": "a.txt"})
B = Call("Read", {"file_path": "b.txt"})
MARKED = '<tool_call>\n{"name": "Read", "arguments": {"file_path": "a.txt"}}\n</tool_call>'


def gguf(path: str, template: str, tokens: tuple[str, ...], bos: int = 0) -> str:
    """A header as llama.cpp writes it, one tensor of eight bytes behind it."""

    def text(value: str) -> bytes:
        data = value.encode()
        return struct.pack("<Q", len(data)) + data

    keys = [
        text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("llama.context_length") + struct.pack("<II", 4, 2048),
        text("tokenizer.ggml.bos_token_id") + struct.pack("<II", 4, bos),
        text("tokenizer.ggml.eos_token_id") + struct.pack("<II", 4, 1),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, len(tokens)) + b"".join(map(text, tokens)),
        text("tokenizer.ggml.token_type") + struct.pack("<IIQ", 9, 5, len(tokens))
        + b"".join(struct.pack("<i", 3 if each.startswith("<|") else 1) for each in tokens),
        text("tokenizer.chat_template") + struct.pack("<I", 8) + text(template),
    ]  # fmt: skip
    tensor = text("t") + struct.pack("<IQIQ", 1, 2, 0, 0)
    with open(path, "wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, 1, len(keys)) + b"".join(keys) + tensor + b"\0" * 40)
    return path


CHATML_TOKENS = ("<|im_start|>", "<|im_end|>", "a", "b")

TWO = '{"name": "Read", "parameters": {"file_path": "a.txt"}}; {"name": "Read", "parameters": {"file_path": "b.txt"}}'
TEXT = '<tool_call>{"name": "Read", "arguments": "{\\"file_path\\": \\"a.txt\\"}"}</tool_call>'
OWN = '<tool_call>{"name": "Read", "arguments": {"file_path": "</tool_call>"}}</tool_call>'
CODER = "<tool_call>\n<function=Read>\n<parameter=file_path>\na.txt\n</parameter>\n</function>\n</tool_call>"
FORMS: tuple[tuple[str, str, str, list[Call], bool], ...] = (
    ("marks", f"I read it.\n{MARKED}", "I read it.", [A], True),
    ("two of them", f"{MARKED}\n{MARKED.replace('a.txt', 'b.txt')}", "", [A, B], True),
    ("arguments as text", TEXT, "", [A], True),
    ("a made-up result", f"{MARKED}\n<tool_response>\nhello", "", [A], True),
    ("half of a call", '<tool_call>\n{"name": "Read", "arg', '<tool_call>\n{"name": "Read", "arg', [], False),
    ("no end", MARKED.removesuffix("</tool_call>"), MARKED.removesuffix("</tool_call>").strip(), [], False),
    ("its own mark in an argument", OWN, "", [Call("Read", {"file_path": "</tool_call>"})], True),
    ("Llama 3", '{"name": "Read", "parameters": {"file_path": "a.txt"}}', "", [A], True),
    ("several of Llama 3", TWO, "", [A, B], True),
    ("Llama 3 with its tag", '<|python_tag|>{"name": "Read", "parameters": {"file_path": "a.txt"}}', "", [A], True),
    ("Llama 3 by name", 'ok <function=Read>{"file_path": "a.txt"}</function>', "ok", [A], True),
    ("Llama 4", '[Read(file_path="a.txt"), Read(file_path="b.txt")]', "", [A, B], True),
    ("with parameters", CODER, "", [A], True),
    ("JSON of another kind", '{"name": "Alice", "parameters": {}}', '{"name": "Alice", "parameters": {}}', [], True),
    ("a list", "[1, 2]", "[1, 2]", [], True),
    ("a list of names", "[Read]", "[Read]", [], True),
    ("no number", MARKED.replace('"a.txt"', "NaN"), MARKED.replace('"a.txt"', "NaN"), [], False),
    ("deep", "<tool_call>" + "[" * 100_000 + "</tool_call>", "<tool_call>" + "[" * 100_000 + "</tool_call>", [], False),
    ("text", "Read(a) is what I would do.", "Read(a) is what I would do.", [], True),
)
