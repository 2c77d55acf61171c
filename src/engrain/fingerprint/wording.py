"""The words of a message → a template, and the names in it that decide the fix.

A tool's own words stay, values go. Between them stand names in quotes (or names that look like code), and one rule
tells them apart: **the name of what is missing decides the fix** (`No module named 'orjson'`: another module wants
another fix), **the name of what is there does not** (`borrow of moved value: 'total'`: any variable wants the same
fix). Keywords, primitive types and punctuation in quotes are words of the language, not names, so they stay in the
fingerprint's wording.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.fingerprint import varying
from engrain.fingerprint.rows import pattern_of
from engrain.fingerprint.vocabulary import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match
    from typing import NamedTuple

    class Wording(NamedTuple):
        """`template` keeps words of the language, `shape` masks them too; `masked` lists (kind, text) for who asks
        why."""

        template: str
        shape: str
        decides: tuple[tuple[str, str], ...]
        masked: tuple[tuple[str, str], ...]
else:
    Wording = namedtuple("Wording", "template shape decides masked")

MAX_MESSAGE = 600
"""Characters of a message that are looked at: what a tool says after that is detail."""

_VOCABULARY = words(
    "None NoneType null undefined nil nullptr NULL void any never unknown object string number boolean bigint",
    "symbol int str float bool bytes list dict tuple set frozenset complex function type module class char short",
    "long double unsigned signed const auto byte i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 usize isize uint",
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 rune error size_t wchar_t String Integer",
    "Long Double Float Boolean Object Number Array Any Unit Nothing Self self this super true false True False",
    "await async import export return yield def if else elif for while do try except catch finally with lambda let",
    "var static public private protected internal abstract final override virtual new enum interface extends",
    "implements require default from as in of is not and or typeof instanceof delete throw throws raise case switch",
    "break continue goto fn func impl trait struct pub mut ref move dyn where match loop unsafe extern crate use",
    "mod union macro package namespace using template typename operator inline volatile register defer",
    "chan fun when given end begin module unless until forall newtype instance deriving",
    "infix declare readonly keyof infer satisfies global nonlocal pass assert del print exec stdin stdout stderr",
    "EOF eof newline indent dedent identifier expression statement",
)

_HINT = (
    r"(?:[.;,] ?|^)[Dd]id you mean: .*|; did you mean .*|[.;] Did you forget .*|[;,] (?:perhaps"
    r"|maybe) you (?:meant|intended).*"
)
"""A suggestion comes and goes with the version of the tool and with what else is in the file."""

_PLURAL = (
    r"(<number>(?: [a-z]+){0,2}? )(argument|element|value|item|parameter|error|byte|row|column|character"
    r"|line|file|test|column|time)s\b"
)

_NEIGHBOUR = (
    r"(\b(?:before|[Uu]nexpected(?: token)?:?|near(?: unexpected token)?) )([\ue000-\uefff](?: token)?"
    r"|\$\w+|[A-Z]{3,}(?:_\w+)?\b)"
)
"""What stands beside a slip is whatever the program goes on with."""

_WORD = r"[A-Za-z_]\w*"
_DIGITS = r"(?<!\w)\d+(?!\w)"
_OF_KIND = (
    r"\b(class|interface|struct|enum|method|constructor|variable|field|parameter|trait|property|symbol"
    r"|table|relation|database)(:?) "
    r"(?!(?:is|in|of|has|was|for|to|and|or|not|with|does|must|cannot|can|may|named|already|argument"
    r"|mismatch|error|found"
    r"|expected|definition|declaration|name|annotation|that|which|type|on|at|from|be|are|the|a|an|as"
    r"|by)\b)[A-Za-z_][\w.$]*"
)
"""`class Basket`, `variable total`: a name that only the word before it gives away."""

_S = "[\ue000-\uefff]"
_THING = (
    r"(?:sub-?)?command|option|flag|switch|choice|task|target|rule|plugin|preset|module|package|feature|attribute"
    r"|keyword|argument|key|field|setting|property|format|type|extension|generator|name for"
)
"""What is no valid one of these is missing; what is no valid integer is a value."""

_KIND = r"(?:(?:an?|the|any|such|required|valid|exported|matching|declaration|file|named|type|static|for) ){0,4}"
_NOUN = r"(?P<kind>[A-Za-z][\w-]{0,24}(?: [a-z][\w-]{0,24}){0,3}?)"

_GAP = "(?P<gap>[^\ue000-\uefff<>]{0,80}?)"
"""Words between the verb and the name; the last noun among them says what kind of thing is missing."""

_MISSING = (
    # what such a sentence always holds (if it is one thing), and the sentence:
    # No module named X · no method named X found · there is no X called Y
    ("o ", rf"\b[Nn]o (?:such )?{_NOUN}?(?: named| called| with name| matching|:)? ?(?P<name>{_S})"),
    # has no attribute X · does not provide an export named X · does not exist on
    ("no ", rf"\b(?:has|have|with) no {_NOUN}?(?: named| called|:)? ?(?P<name>{_S})"),
    (
        "t ",
        (
            rf"\b(?:does not|doesn't|do not|did not) (?:have|provide|export|contain|define|declare|support|find"
            rf"|import|recognize|know){_GAP}(?P<name>{_S})"
        ),
    ),
    # Cannot find module X · could not resolve X · unable to locate package X
    (
        "",
        (
            rf"\b(?:[Cc]an ?not|[Cc]an't|[Cc]ould not|[Cc]ouldn't|[Uu]nable to|[Ff]ailed to) (?:find|resolve"
            rf"|locate|import|look up){_GAP}(?P<name>{_S})"
        ),
    ),
    # undefined reference to X · unresolved import X · unknown column X · missing argument X · unrecognized option X
    (
        "",
        (
            rf"\b(?:[Uu]ndefined|[Uu]ndeclared|[Uu]nknown|[Uu]nresolved|[Mm]issing|[Uu]nrecogni[sz]ed"
            rf"|[Uu]nsupported|[Rr]equired)"
            rf" {_NOUN}?(?: to| named|:)? ?(?P<name>{_S})"
        ),
    ),
    (
        "",
        (
            rf"\b(?:[Uu]nexpected|[Ii]nvalid) (?:[a-z]+ )?(?P<kind>argument|option|flag|command|subcommand"
            rf"|choice|field|key|property|attribute|keyword|rule|plugin)s?:? (?P<name>{_S})"
        ),
    ),
    # UNIQUE constraint failed: X · violates foreign key constraint X
    ("constraint", rf"\b(?P<kind>constraint)(?: failed)?:? (?P<name>{_S})"),
    # use of undeclared crate or module X
    ("undeclared ", rf"\bundeclared [\w ]{{1,30}} (?P<name>{_S})"),
    # X is not defined · X undeclared · X was not declared · Property X does not exist · package X not found
    (
        "",
        (
            rf"(?:(?P<kind>\w[\w-]{{0,24}}) )?(?P<name>{_S}),? (?:in [\w ]{{1,20}} )?"
            rf"(?:is |was |were |are |has |could |can)?"
            rf"(?:undeclared|undefined|un(?:known|resolved|recogni[sz]ed|available)|not (?:be )?(?:defined"
            rf"|declared|found|exist|resolved|recogni[sz]ed|installed|set|in scope|exported|a member|a known|a "
            rf"registered|a valid (?={_THING})|available|provided|specified|located)|missing|does not exist"
            rf"|doesn't exist|required)"
        ),
    ),
)

_UNQUOTED = (
    r"(?i)\b(?:no such|undefined|undeclared|unknown|unresolved|missing|unrecogni[sz]ed|unsupported|not in "
    r"scope|not found|cannot find|"
    r"could not find|required)(?P<kind>(?: [a-z][\w-]{0,24}){0,3}): (?P<name>[^\s:,;]{1,80})(?=$|[\s,;.])"
)
_LIST = r"<name>(?:, (?:and |or )?<name>){1,60}"
"""Names in a row are as many as there happened to be."""

_STATUS = (
    r"\b(?:HTTP(?:/[\d.]+)?(?: Error)?|(?<![Ee]xit )[Ss]tatus(?: code)?|returned error|response(?: code)?"
    r"|status_code)[:=]? ?(?P<status>[1-5]\d\d)\b"
)
_SETTING = (
    r"\b[Ee]nv(?:ironment)? [Vv]ariables?:? [`'\"‘“]?\$?(?P<name>[A-Z][A-Z0-9_]{1,60})(?![a-z\w])"
    r"|\b(?P<name2>[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,60})[`'\"’”]? [Ee]nv(?:ironment)? [Vv]ariable"
)
_TELLING = r"[Nn]o |n't |not |[Uu]n[a-z]|[Mm]issing|[Ff]ailed|[Ii]nvalid|[Rr]equired|exist|[Cc]annot|constraint"

_LINKING = words(
    "such named called to for the a an in of from with on any or : is at",
)
_IMPORTED = frozenset(("module", "import", "package", "modules"))

NOTHING = Wording("", "", (), ())


def wording(message: str) -> Wording:
    """The template of a message with what decides and what was masked."""
    if not message:
        return NOTHING
    spans: list[str] = []
    masked: list[tuple[str, str]] = []
    if "you me" in message or "you forget" in message:
        message = pattern_of(_HINT).sub("", message)
    status = (
        pattern_of(_STATUS).search(message)
        if "HTTP" in message or "tatus" in message or "returned error" in message
        else None
    )

    def mask(found: Match[str]) -> str:
        kind = found.lastgroup or ""
        text = found.group()
        if kind in ("q", "n"):
            spans.append(text.strip("‘’“”«»`'\"") if kind == "q" else text)
            return chr(0xE000 + len(spans) - 1) if len(spans) <= 0xFFF else "<name>"
        masked.append((kind, text))
        return f"<{varying.SHOWN.get(kind, kind)}>"

    marked = message[:MAX_MESSAGE]
    if plain := pattern_of(varying.PLAIN).match(marked):
        begins = plain.end()
        if begins < len(marked):
            marked = marked[:begins] + varying.pattern().sub(mask, marked[begins:])
    if "before " in marked or "nexpected" in marked or "near " in marked:
        marked = pattern_of(_NEIGHBOUR).sub(
            lambda found: found[0] if _is_markup(found[2], spans) else f"{found[1]}<token>", marked
        )
    decides = list(_deciding(marked, spans)) if spans or ":" in marked else []
    if status:
        decides.append(("status", status["status"]))
    if "ariable" in message and (named := pattern_of(_SETTING).search(message)):
        setting = named["name"] or named["name2"]
        decides = [*(pair for pair in decides if pair[1] != setting), ("variable", setting)]
    return _rendered(marked, spans, decides, masked)


def _in_singular(text: str) -> str:
    """`takes 2 arguments but 3 were given` is `takes 1 argument but 2 were given` with other numbers."""
    if "<number>" not in text:
        return text
    if pattern_of(_PLURAL).search(text):
        text = pattern_of(_PLURAL).sub(lambda found: found[1] + found[2], text)
    return text.replace(" were given", " was given")


def _is_markup(mark: str, spans: list[str]) -> bool:
    """`Unexpected token '<'` is the one token that tells: a page came where data was wanted."""
    return 0xE000 <= ord(mark[0]) <= 0xEFFF and spans[ord(mark[0]) - 0xE000] == "<"


def _rendered(marked: str, spans: list[str], decides: list[tuple[str, str]], masked: list[tuple[str, str]]) -> Wording:
    if pattern_of(_OF_KIND).search(marked):
        marked = pattern_of(_OF_KIND).sub(lambda found: f"{found[1]}{found[2]} <name>", marked)
    template = shape = _in_singular(" ".join(marked.split()))
    if not spans and not decides:
        template = template.rstrip(" .;:")
        return Wording(template, template, (), tuple(masked))
    named = {value for _, value in decides}
    for index, text in enumerate(spans[:0xFFF]):
        mark = chr(0xE000 + index)
        kept = pattern_of(_DIGITS).sub("<number>", text) if _of_the_language(text) else "<name>"
        template = template.replace(mark, kept)
        shape = shape.replace(mark, "<name>")
        if kept == "<name>" and text not in named:
            masked.append(("name", text))
    for _, value in decides:
        if value not in spans and f": {value}" in template:
            template = template.replace(f": {value}", ": <name>")
            shape = shape.replace(f": {value}", ": <name>")
    if "<name>, " in shape:
        names = pattern_of(_LIST)
        template, shape = names.sub("<name>", template), names.sub("<name>", shape)
    return Wording(template.rstrip(" .;:"), shape.rstrip(" .;:"), tuple(decides), tuple(masked))


def _deciding(marked: str, spans: list[str]) -> list[tuple[str, str]]:
    if not pattern_of(_TELLING).search(marked):
        return []
    found: dict[str, str] = {}
    if spans:
        for tell, source in _MISSING:
            if tell not in marked:
                continue
            for match in pattern_of(source).finditer(marked):
                text = spans[ord(match["name"]) - 0xE000]
                groups = match.groupdict()
                kind, name = told(_kind(groups.get("kind") or groups.get("gap")), text)
                if name and not _of_the_language(name):
                    found.setdefault(name, kind)
            if found:
                break
    elif (plain := pattern_of(_UNQUOTED).search(marked)) and is_name(plain["name"]) and "<" not in plain["name"]:
        kind, name = told(_kind(plain["kind"]), plain["name"])
        if name:
            found[name] = kind
    return [(kind, text) for text, kind in found.items()][:4]


_VALUES = words(
    "value date time host hostname user username role character byte id address port length size codec format line",
    "position reference revision branch ref server account password token input text string url number container",
)
"""Kinds of things that are another each time: that one was not found does not say what to do."""

_A_FILE = (
    r"\w\.(?:java|py|js|ts|tsx|jsx|c|h|cc|cpp|o|a|so|go|rs|rb|php|sh|txt|csv|json|ya?ml|toml|xml|sql"
    r"|md|log|pem|crt|key|jar|gz|zip|kt|swift|cs)$"
)
_FILES = frozenset(("file", "directory", "path", "folder", "files"))

_WELL_KNOWN = (
    r"^(?:\.[a-z][\w.-]{1,30}|(?:[A-Z]+|[Mm]akefile|[Jj]ustfile|Dockerfile|Gemfile|Rakefile|Procfile"
    r"|Jenkinsfile|Vagrantfile|CMakeLists\.txt)(?:\.\w+)?|"
    r"(?:package|package-lock|tsconfig|composer|requirements|pyproject|poetry|setup|manage|go|cargo"
    r"|pnpm-lock|yarn|docker-compose|pom|build|settings|conftest|tox|"
    r"webpack\.config|vite\.config|jest\.config|eslint\.config|next\.config|babel\.config|config|main"
    r"|index|app|local|secrets|credentials)"
    r"\.(?:json|txt|toml|lock|py|cfg|ini|mod|sum|ya?ml|xml|gradle|kts|js|cjs|mjs|ts|env|conf))$"
)
"""Files that have the same name in every project, so that the name says what is missing."""


def told(kind: str, text: str) -> tuple[str, str]:
    """What a missing thing tells of itself: its name, or nothing where the name is another each time."""
    if kind in _VALUES:
        return kind, ""
    if kind in _IMPORTED:
        text = specifier(text)
        return kind, text if is_name(text) else ""
    if (
        kind in _FILES
        or pattern_of(_A_FILE).search(text)
        or (kind == "name" and text[:1] in "/.~" and ("/" in text or "\\" in text))
    ):
        base = pattern_of(r"[/\\]").split(text.rstrip("/\\"))[-1]
        return ("file", base) if pattern_of(_WELL_KNOWN).match(base) else (kind, "")
    return kind, text if is_name(text) else ""


def _kind(text: str | None) -> str:
    words = (text or "").lower().split()
    nouns = [word.strip(":,") for word in words if word not in _LINKING]
    return nouns[-1] if nouns else "name"


def is_name(text: str) -> bool:
    """Whether quoted text names a thing, rather than being a path, a sentence or a value of this run."""
    if not text or len(text) > 120 or text[0] in "/~\\" or "://" in text or text[1:3] in (":\\", ":/"):
        return False
    return text.count(" ") <= 2 and any(c.isalpha() for c in text) and not _run_value(text)


def specifier(text: str) -> str:
    """A module's name as an import gives it: of a local file only its own name counts, wherever it is imported from."""
    if not text.startswith("."):
        return "" if text[:1] == "/" or text[1:3] in (":\\", ":/") else text
    name = pattern_of(r"[/\\]").split(text.rstrip("/\\"))[-1]
    return "./" + pattern_of(r"\.(?:[cm]?[jt]sx?|json|vue|py)$").sub("", name) if name.strip(".") else text


def _run_value(text: str) -> bool:
    """Random text: as long as a token, digits and letters mixed, or a temp name."""
    return len(text) >= 20 and sum(c.isdigit() for c in text) * 4 > len(text)


def _of_the_language(text: str) -> bool:
    """Keywords, primitive types and punctuation: what every program has."""
    if len(text) > 40:
        return False
    words = pattern_of(_WORD).findall(text)
    if not words:
        return bool(text) and not any(c.isdigit() for c in text)
    if _VOCABULARY.issuperset(words):
        return True
    return text.endswith(("Error", "Exception", "Warning")) and text.isidentifier()
