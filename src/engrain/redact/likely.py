"""Could this value be a secret? Plain questions about one short string, asked after a rule has found a place for it.

Nothing here knows languages or providers. Placeholders, variables, types and code are told from values by their shape,
random text from words by how often its characters change their kind.
"""

from __future__ import annotations

from engrain.light import remembered
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

_NOTHING = vocabulary(
    """
    password passwd passphrase passcode pass pwd pw secret secrets token tokens key keys auth credential
    credentials apikey string str text bytes byte int integer number float bool boolean char varchar any object
    dict list array map optional none null nil undefined true false yes no on off unknown empty blank void self
    this default required optional invalid incorrect missing wrong expired hidden input field type value values
    name username user login email form label placeholder example sample dummy your todo tbd redacted masked
    removed omitted hidden filtered sensitive encrypted basic bearer digest negotiate ntlm oauth oauth2 jwt saml
    ldap kerberos ssl tls http https enabled disabled prompt and or not is in if else with without for from to
    the a an of be must should can will was were has have your my bcrypt argon2 scrypt sha256 sha512 sha1 md5
    md5sum base64 hex utf8 utf-8 raw plain plaintext file env vault readonly read write admin_only const let var
    new return import export async await function lambda def class struct
    """
)
_SEEN = 256
"""Values whose verdict is remembered: a log says the same thing again and again."""

_STANDS_FOR = (
    r"(?i)xxxx|\*\*\*\*|\.\.\.\.|…|[<>]|\$[{(]|\{\{|\}\}|%\(|%s|redacted|placeholder"
    r"|your[-_ ]|[-_ ]here$|change[-_ ]?me|replace[-_ ]?(?:me|with|this)|insert[-_ ]|^my[-_]?(?:secret|token|key)$"
    r"|process\.env|os\.environ|getenv|environ\b|secrets?\.|env\.|config\.|settings\.|vars?\.|self\.|this\.|import\.meta"
    r"|^(?:arn|ref|vault|op|ssm|sops|file|env|secret):"
)


@remembered(_SEEN)
def nothing(value: str) -> bool:
    """A placeholder, a variable or a word that stands for a value: no secret whatever its place."""
    low = value.lower().strip("[](){}<>*'\"`;,.=: ")
    if len(low) < 3 or low in _NOTHING or "«" in value or value[0] == "?":
        return True
    if value[0] in "$<%@&«#" and not value[1:2].isdigit() and "$" not in value[2:4]:
        return _is_reference(value)
    if len(set(low)) < 3 and not low.isdigit():
        return True
    if value[0] in "{[" and value[-1] in "}]" and not mixed(low):
        return True
    return bool(compiled(_STANDS_FOR).search(value))


def _is_reference(value: str) -> bool:
    if value[0] == "$":
        return bool(compiled(r"\$\$?[A-Za-z_({:][\w.:{}()\[\]>-]*$").match(value)) or value[1:2] in "{("
    return bool(compiled(r"<[^>]*>?$|%[sdr(].*|%[A-Za-z_]+%$|&[A-Za-z_]*;?$|@[A-Za-z_]*$|@?[({].*|#\{").match(value))


@remembered(_SEEN)
def wordy(value: str) -> bool:
    """Made of words: an identifier in any case, a dotted name, a sentence, perhaps with a number at its end."""
    body = value.rstrip("0123456789")
    if len(value) - len(body) > 2 or not body or not compiled(r"[A-Za-z]+(?:[-_./: ]+[A-Za-z]+)*[-_]?$").match(body):
        return False
    words = compiled(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])").findall(body)
    return sum(map(len, words)) >= 3 * len(words)


@remembered(_SEEN)
def mixed(value: str) -> bool:
    """Has both letters and digits, or letters of both cases in no order that a name would have."""
    has_digit = any(c.isdigit() for c in value)
    return (has_digit and any(c.isalpha() for c in value)) or (switches(value) >= 4 and not wordy(value))


def switches(value: str) -> int:
    """How often neighbours differ in kind (lower, upper, digit), a capital before lower letters not counted."""
    return len(compiled(r"(?<=[a-z])[A-Z0-9]|(?<=[0-9])[A-Za-z]|(?<=[A-Z])[0-9]").findall(value, 0, 200))


@remembered(_SEEN)
def random(value: str, least: int = 16) -> bool:
    """Looks drawn by lot: long enough, many different characters, and kinds that change often."""
    size = len(value)
    if size < least or " " in value:
        return False
    body = value[:200]
    if len(set(body)) < min(size, 32) // 3 + 1:
        return False
    if compiled(r"[0-9a-fA-F]+(?:-[0-9a-fA-F]+)*$").match(body):
        return any(c.isdigit() for c in body) and any(c.isalpha() for c in body)
    often = 7 if any(c.isdigit() for c in body) else 5
    return switches(body) >= max(3, len(body) // often) and not path(value) and not wordy(body)


@remembered(_SEEN)
def path(value: str) -> bool:
    """A file, an address or a dotted module rather than a value."""
    if "://" in value or value[:2] in ("./", "..", "~/") or value[1:3] == ":\\":
        return True
    if value[0] == "/":
        return value.count("/") > 1 or "." in value
    if "/" not in value and "." not in value:
        return False
    return bool(compiled(r"[\w-]+(?:/[\w.-]+)*\.[a-z]{1,5}$|(?:[a-z][a-z0-9_-]*/){2,}").match(value))


@remembered(_SEEN)
def code(value: str) -> bool:
    """An expression of a program: a dotted name, a call, a type."""
    return bool(
        compiled(r"[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+[;,)]*$|[A-Za-z_][\w.]*[(\[{]").match(value)
        or compiled(r"[A-Z][A-Za-z]*(?:[|?]|$)|[a-z_]+\??;?$|!?[A-Za-z_]+$").match(value)
    )


@remembered(_SEEN)
def stands_out(value: str) -> bool:
    """Looks like a secret in the middle of a sentence: a word that is none."""
    if not 6 <= len(value) <= 4096 or not mixed(value):
        return False
    if value.isalpha():
        return 3 * switches(value) >= max(12, len(value))
    return (
        any(c.isdigit() for c in value)
        and switches(value) >= 2
        and not path(value)
        and not called(value)
        and not compiled(r"[\w.-]+@|[\d.:/x-]+$").match(value)
    )


@remembered(_SEEN)
def called(value: str) -> bool:
    """An identifier, a version, a date, a dotted or dashed name with numbers in it."""
    return bool(
        compiled(
            r"[a-zA-Z]+(?:[-_.][a-zA-Z]+)*[-_.]?\d{0,4}$|v?\d+(?:[.:-]\d+)+\w*$|[\d.,]+[a-zA"
            r"-Z%]{0,3}$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
            r"|[a-z0-9]+(?:[-_][a-z]+)+(?:[-_]\d{1,3})?$|0x[0-9a-f]{1,8}$|\w+\.\w+(?:\.\w+)*$"
        ).match(value)
    ) and not random(value, 20)
