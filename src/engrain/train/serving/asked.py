"""Asked: the JSON of a request → what is asked, or the line that says what is wrong with it. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engrain.errors import BadInput

Message = dict[str, Any]

PASSED_ON = (
    "temperature", "top_p", "top_k", "min_p", "typical_p", "seed", "presence_penalty", "frequency_penalty",
    "repeat_penalty", "repeat_last_n", "logit_bias", "grammar",
)  # fmt: skip
"""What the engine takes as it is."""
DRAWN = frozenset(["temperature", "top_p", "top_k", "min_p", "typical_p"])
"""Who says none of these gets the likeliest token each time, as the gates asked for it."""
ROLES = ("system", "developer", "user", "assistant", "tool")


class Asked(NamedTuple):
    """A conversation, the tools that may be called, how it is to be answered."""

    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...]
    sampling: Mapping[str, Any]
    stops: tuple[str, ...]
    stream: bool
    usage: bool
    one: bool

    @property
    def free(self) -> bool:
        """Whether the model may choose its words."""
        return not {"grammar", "json_schema"} & self.sampling.keys()

    @property
    def needed(self) -> dict[str, Sequence[str]]:
        """Tool → the arguments that it never goes without."""
        return {tool["function"]["name"]: tool["function"]["parameters"]["required"] for tool in self.tools}


def asked(body: Any) -> Asked:
    """What a request asks."""
    body = _an(dict, body, "the request")
    choice = body.get("tool_choice", "auto")
    if choice not in ("auto", "none", None):
        raise BadInput("tool_choice can be auto or none: a model can't be made to call a tool here")
    if body.get("n") not in (None, 1):
        raise BadInput("n can be 1 alone")
    tools = () if choice == "none" else tuple(map(_tool, _an(list, body.get("tools") or [], "tools")))
    return Asked(
        _messages(body.get("messages")), tools, _sampling(body), _stops(body.get("stop")), body.get("stream") is True,
        _an(dict, body.get("stream_options") or {}, "stream_options").get("include_usage") is True,
        body.get("parallel_tool_calls") is False,
    )  # fmt: skip


def _an(kind: type, value: Any, name: str) -> Any:
    if not isinstance(value, kind):
        raise BadInput(f"{name} must be {'an object' if kind is dict else 'a list' if kind is list else 'text'}")
    return value


def _messages(value: Any) -> tuple[Message, ...]:
    found = tuple(map(_message, _an(list, value, "messages")))
    if not found:
        raise BadInput("messages is empty")
    names = {call["id"]: call["function"]["name"] for each in found for call in each.get("tool_calls", ())}
    return tuple(
        {**each, "name": names.get(each["tool_call_id"], "")} if each["role"] == "tool" else each for each in found
    )


def _message(value: Any) -> Message:
    value = _an(dict, value, "a message")
    role = value.get("role")
    if role not in ROLES:
        raise BadInput(f"a message's role must be one of {', '.join(ROLES)}, not {str(role)[:40]!r}")
    message: Message = {"role": "system" if role == "developer" else role, "content": _text(value.get("content"))}
    if role == "assistant":
        message["tool_calls"] = [_call(each) for each in _an(list, value.get("tool_calls") or [], "tool_calls")]
    if role == "tool":
        message["tool_call_id"] = str(value.get("tool_call_id", ""))
    return message


def _text(content: Any) -> str:
    """Content as one text; it may come in parts."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [_an(dict, part, "a part of a content") for part in _an(list, content, "content")]
    if other := next((part for part in parts if part.get("type") not in ("text", "input_text")), None):
        raise BadInput(f"only text is read here, not {str(other.get('type'))[:40]!r}")
    return "\n".join(_an(str, part.get("text"), "the text of a part") for part in parts)


def _call(value: Any) -> Message:
    function = _an(dict, _an(dict, value, "a tool call").get("function"), "the function of a tool call")
    given = function.get("arguments") or {}
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            given = {"input": given}
    name = _an(str, function.get("name"), "the name of a tool call")
    given = given if isinstance(given, dict) else {"input": given}
    return {"id": str(value.get("id", "")), "type": "function", "function": {"name": name, "arguments": given}}


def _tool(value: Any) -> Message:
    function = _an(dict, _an(dict, value, "a tool").get("function"), "the function of a tool")
    name = _an(str, function.get("name"), "the name of a tool")
    schema = _an(dict, function.get("parameters") or {}, "the parameters of a tool")
    properties = _an(dict, schema.get("properties") or {}, "the properties of a tool")
    properties = {key: {"type": "any", **_an(dict, each, "a property of a tool")} for key, each in properties.items()}
    required = [each for each in _an(list, schema.get("required") or [], "required") if isinstance(each, str)]
    schema = {**schema, "type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {**function, "name": name, "parameters": schema}}


def _sampling(body: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: body[name] for name in PASSED_ON if body.get(name) is not None}
    if not DRAWN & found.keys():
        found["temperature"] = 0.0
    most = body.get("max_completion_tokens", body.get("max_tokens"))
    if most is not None:
        if not isinstance(most, int) or isinstance(most, bool) or most < 1:
            raise BadInput("max_tokens must be a whole number from 1")
        found["n_predict"] = most
    form = body.get("response_format") or {}
    if _an(dict, form, "response_format").get("type") == "json_schema":
        found["json_schema"] = _an(dict, form.get("json_schema"), "json_schema").get("schema", {})
    elif form.get("type") == "json_object":
        found["json_schema"] = {"type": "object"}
    return found


def _stops(value: Any) -> tuple[str, ...]:
    stops = [value] if isinstance(value, str) else value or []
    return tuple(_an(str, each, "stop") for each in _an(list, stops, "stop") if each)
