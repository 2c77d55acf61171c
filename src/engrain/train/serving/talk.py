"""Talk: a chat with a served model, whose calls are really made: harmless tools that see one folder and nothing else.

What comes back for a call, and what a call that can't be made is told, are the model's to read: neither ends the talk.
"""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from engrain.errors import BadInput, NotFound
from engrain.paths import reason

Message = dict[str, Any]
Say = Callable[[str, str], None]

MOST_TURNS, MOST_BYTES = 12, 64 * 1024
SYSTEM = (
    "You are an assistant who works in one folder with the tools that you have. Call one tool at a time and read its"
    " result. When nothing is left to be done, say what was done and call nothing."
)


class Tool(NamedTuple):
    """A tool: what it takes, what it does in a folder."""

    name: str
    does: str
    takes: tuple[str, ...]
    run: Callable[..., str]


class Talked(NamedTuple):
    """How a talk went: every message, and how often the guard stopped something."""

    messages: tuple[Message, ...]
    stopped: int


def talk(url: str, messages: Sequence[Message], folder: str, say: Say, **also: Any) -> Talked:
    """Asks until the model calls nothing more; `also` goes into each request, `say` gets who spoke and what."""
    told, stopped = list(messages), 0
    for _ in range(MOST_TURNS):
        answer = asked(url, {"messages": told, "tools": listed(), **also})
        stopped += "engrain" in answer
        message = answer["choices"][0]["message"]
        told.append(message)
        if message.get("content"):
            say("model", message["content"])
        for call in message.get("tool_calls", ()):
            say("call", f"{call['function']['name']} {call['function']['arguments']}")
            result = made(call, folder)
            say("result", result)
            told.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        if not message.get("tool_calls"):
            break
    return Talked(tuple(told), stopped)


def asked(url: str, body: Mapping[str, Any], seconds: float = 600) -> dict[str, Any]:
    """The answer of a server to one request."""
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=seconds)
    try:
        data = json.dumps(body).encode("utf-8", "replace")
        connection.request("POST", "/v1/chat/completions", data, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        answer: dict[str, Any] = json.loads(reply.read())
    except OSError as exc:
        raise NotFound(f"nobody answers at {url}: {reason(exc)}") from exc
    except (http.client.HTTPException, ValueError) as exc:
        raise BadInput(f"{url} does not answer as a model does") from exc
    finally:
        connection.close()
    if reply.status != 200:
        raise BadInput(f"{url} refuses: {answer.get('error', {}).get('message', reply.status)}")
    return answer


def listed() -> list[dict[str, Any]]:
    """The tools as a request names them."""
    return [
        {"type": "function", "function": {"name": tool.name, "description": tool.does, "parameters": {
            "type": "object", "properties": {name: {"type": "string"} for name in tool.takes},
            "required": list(tool.takes)}}}
        for tool in TOOLS
    ]  # fmt: skip


def made(call: Mapping[str, Any], folder: str) -> str:
    """What comes of a call: its result, or why it can't be made."""
    name = str(call["function"]["name"])
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    if tool is None:
        return f"Error: there is no tool {name[:40]!r}; there are {', '.join(tool.name for tool in TOOLS)}"
    given = json.loads(call["function"]["arguments"])
    if missing := [name for name in tool.takes if not isinstance(given.get(name), str)]:
        return f"Error: {tool.name} needs {', '.join(missing)}"
    try:
        return tool.run(folder, *(given[name] for name in tool.takes))
    except BadInput as exc:
        return f"Error: {exc}"
    except OSError as exc:
        return f"Error: {reason(exc)}"


def _inside(folder: str, name: str) -> str:
    """A path in the folder, whatever links and dots say."""
    top = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(top, name.lstrip("/")))
    if path != top and not path.startswith(top + os.sep):
        raise BadInput(f"{name} is not in the folder")
    return path


def _list(folder: str) -> str:
    names = sorted(os.listdir(folder))
    return "\n".join(f"{name}/" if os.path.isdir(os.path.join(folder, name)) else name for name in names) or "(empty)"


def _read(folder: str, name: str) -> str:
    with open(_inside(folder, name), encoding="utf-8", errors="replace") as file:
        return file.read(MOST_BYTES) or "(empty)"


def _write(folder: str, name: str, content: str) -> str:
    path = _inside(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.write(content[:MOST_BYTES])
    return f"written: {len(content):,} characters"


TOOLS = (
    Tool("List", "Lists the files of the folder.", (), _list),
    Tool("Read", "Reads a file.", ("file_path",), _read),
    Tool("Write", "Writes a file.", ("file_path", "content"), _write),
)
