"""What a shell command does with the files that it names.

    PROGRAM   it is what is run (`.venv/bin/python`)
    USED      it is loaded, moved, listed or handed on, and nothing shows it (`source .env`, `ssh -i KEY`)
    SHOWN     its content may come out (`cat .env`, `grep KEY < .env`)
    WRITTEN   the command may carry its content (`echo … > .env`)
    COPIED    it gets a copy of what another command says anyway (`make | tee build.log`)
    NAMED     none of these is sure

A reading of words, not of a grammar: whoever decides by it keeps less when in doubt.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    class Said(NamedTuple):
        """What a simple command says as a whole, read once for all its words."""

        program: str
        first: list[str]
        options: frozenset[str]
        operand: str
        config: bool
        in_place: bool
else:
    Said = namedtuple("Said", "program first options operand config in_place")

PROGRAM, USED, SHOWN, WRITTEN, COPIED, NAMED = "program", "used", "shown", "written", "copied", "named"

_PIECE = (
    r"\"(?:[^\"\\]|\\.){0,65536}\"|'[^']{0,65536}'|\\.|[^\s;&|()<>`\"'\\]{1,4096}"
    r"|\d?>{1,2}[&|]?|<{1,3}|&&|\|\|?|[;&()`\n]|[^\S\n]+|[\"'\\]"
)
_ENDS = frozenset((";", "&", "&&", "|", "||", "(", ")", "`", "\n"))
PREFIXES = vocabulary(
    "sudo doas env time nohup exec command builtin xargs then do else if elif while until ! { nice ionice stdbuf"
)
_ONLY_USE = vocabulary("source . test [ [[ ls stat rm touch chmod chown chgrp mkdir mv cp ln cd pushd direnv realpath")
_SHOW = vocabulary(
    """
    cat tac less more head tail bat batcat nl sed awk gawk mawk grep egrep fgrep zgrep rg ag ack strings xxd od hexdump
    base64 base32 jq yq sort uniq cut tr diff cmp comm column paste fold rev zcat view get-content gc type
    """
)
_WRITE = vocabulary("tee sponge set-content add-content out-file tee-object")
_IN_PLACE = vocabulary("perl ruby")
SEARCH = vocabulary("grep egrep fgrep zgrep rg ag ack")
SAYING = vocabulary("git gh pytest python python3 uv poetry")
_SAYS = vocabulary("-m -am --message --title --body --notes -k")
_GO = vocabulary("cd pushd set-location")
_COPY = vocabulary("mv cp ln")
_GIT_ONLY_USES = vocabulary("add rm mv check-ignore status ls-files restore checkout commit stash switch update-index")
_CARRIERS = _SHOW | vocabulary("echo printf print write-output curl wget")
"""Programs whose output is the content that they were given, not a report of their own."""

_USING_OPTIONS = vocabulary(
    """
    --env-file --envfile --env_file --dotenv -i --identity-file --key --cert --cacert --private-key --key-file
    --kubeconfig --tlskey --tlscert --tls-key --ssl-key --credentials --key-store --keystore
    """
)
_SHELLS = vocabulary("bash sh zsh dash ksh fish")
_INLINE = vocabulary("-c -e -p -r -pe -ne --eval --print")
_READS = r"open\s*[\(\s<'\"]|[rR]ead|slurp|load|get_contents|Path\(|File\b|IO\."
_DEEPEST = 3
_KEY_USERS = vocabulary("ssh scp sftp rsync ansible ansible-playbook mosh autossh")
_ECHOES = (
    r"(?:^|[;&|(`\s])(?:echo|printf|print|env|printenv|set|export|declare|typeset)\b[^\n;&|]{0,2000}\$|\bset\s+-\w*x"
)
_PATCHED = r"(?m)^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:---|\+\+\+) (?:[ab]/)?)([^\t\r\n]{1,1024})"
_ASSIGNS = r"[A-Za-z_]\w{0,80}\+?="


def files(command: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Each word that could be a file, with what is done to it; after `cd`, also as seen from where it began."""
    command = command[:65_536]
    echoing = compiled(_ECHOES).search(command) is not None
    simple = list(simple_commands(command))
    showing = any(program in _SHOW for program, _, _ in simple)
    folder = ""
    for program, words, feeder in simple:
        leading = True
        said = _said(program, words)
        for before, word in words:
            how = _how(said, before, word)
            if how == WRITTEN and program == "tee" and feeder and feeder not in _CARRIERS:
                how = COPIED
            leading = leading and how != PROGRAM
            if leading and compiled(_ASSIGNS).match(word):
                how = USED if program else NAMED
            if how == USED and (echoing or (showing and program in _COPY)):
                how = NAMED
            if _no_file(said, before, word):
                continue
            if depth < _DEEPEST and _a_script(before, words):
                yield from files(word, depth + 1)
            if before in _INLINE and compiled(_READS).search(word):
                how = SHOWN
            for part, done in _parts(word, how):
                yield part, done
                if folder:
                    yield f"{folder}/{part}", done
        folder = _gone(folder, program, words)
    yield from ((match[1], WRITTEN) for match in compiled(_PATCHED).finditer(command))


def _a_script(before: str, words: list[tuple[str, str]]) -> bool:
    """The word behind `bash -lc` is a command of its own."""
    return compiled(r"-[a-z]{0,4}c$").match(before) is not None and any(
        text.rpartition("/")[2] in _SHELLS for _, text in words
    )


def _said(program: str, words: list[tuple[str, str]]) -> Said:
    given = [text for _, text in words]
    options = frozenset(text for text in given if text[:1] == "-")
    if program in _IN_PLACE:
        in_place = {"p", "i"} <= set("".join(options))
    else:
        in_place = any(text.startswith(("-i", "--in-place")) for text in options)
    operand = next((text for text in given[1:] if text[:1] != "-"), "")
    return Said(program, given[1:3], options, operand, "config" in given, in_place)


def _no_file(said: Said, before: str, word: str) -> bool:
    """It is searched for, chosen by or said: `grep password src`, `git commit -m "ignore .env"`."""
    if "$(" in word or "`" in word:
        return False
    if said.program in SEARCH:
        if said.operand != word:
            return False
        plain = before == said.program or compiled(r"-[rRnliwEFPHohsqc]{1,8}$").match(before)
        return bool(plain) and not any(compiled(r"-\w*[ef]|--(?:regexp|file)").match(text) for text in said.options)
    return said.program in SAYING and before in _SAYS


def _gone(folder: str, program: str, words: list[tuple[str, str]]) -> str:
    """The folder that the next command starts in."""
    if program not in _GO or len(words) < 2:
        return folder
    to = words[-1][1]
    return to if to[:1] in "/~$" or not folder else f"{folder}/{to}"


def simple_commands(command: str) -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """Each simple command: its program, its words, each with the word or operator before it, and what feeds it."""
    program, before, feeder = "", "", ""
    words: list[tuple[str, str]] = []
    for piece in _pieces(command):
        if piece in _ENDS:
            if words:
                yield program, words, feeder
            feeder = program if piece == "|" else feeder if piece == "&" else ""
            program, before, words = "", "", []
            continue
        operator = piece[:1] in "<>" or (piece[1:2] == ">" and piece[:1].isdigit())
        starts = not program and not operator and before[:1] not in ("<", ">")
        if starts and not compiled(_ASSIGNS).match(piece) and piece not in PREFIXES and piece[:1] != "-":
            program = piece.rpartition("/")[2]
            program = program if "." in program or program.islower() else program.lower()
            words.append(("", piece))
        elif not operator:
            words.append((before, piece))
        before = piece
    if words:
        yield program, words, feeder


def _pieces(command: str) -> Iterator[str]:
    """Words and operators; what stands together without a space is one word, quotes taken off."""
    word = ""
    quoted = False
    for match in compiled(_PIECE).finditer(command):
        piece = match[0]
        if piece in _ENDS or piece.isspace() or piece.lstrip("0123456789")[:1] in ("<", ">"):
            if word or quoted:
                yield word
            word, quoted = "", False
            if not piece.isspace() or piece == "\n":
                yield piece
        elif piece[0] in "\"'" and len(piece) > 1:
            word, quoted = word + piece[1:-1], True
        else:
            word += piece[1:] if piece[0] == "\\" else piece
    if word or quoted:
        yield word


def _how(said: Said, before: str, word: str) -> str:
    program = said.program
    if before.lstrip("0123456789")[:1] == ">":
        return WRITTEN
    if before[:1] == "<":
        return SHOWN
    if before == "" and word.rpartition("/")[2].lower() == program.lower():
        return PROGRAM
    if program in _WRITE:
        return WRITTEN
    if program in _SHOW:
        return WRITTEN if said.in_place else SHOWN
    if program in _IN_PLACE and said.in_place:
        return WRITTEN
    return USED if _only_used(said, before, word) else NAMED


def _only_used(said: Said, before: str, word: str) -> bool:
    program = said.program
    if program in _ONLY_USE:
        return True
    if program == "git":
        return any(text in _GIT_ONLY_USES for text in said.first)
    if program.startswith("docker") and said.config:
        return False
    option = word.partition("=")[0] if word.startswith("--") and "=" in word else before
    return option in _USING_OPTIONS and (option != "-i" or program in _KEY_USERS)


def _parts(word: str, how: str) -> Iterator[tuple[str, str]]:
    """The word, what stands behind a sign in it, and the words inside a quoted one, of which nothing is sure."""
    yield word, how
    if word[-1:] in (",", ":", ";"):
        yield word[:-1], how
    for sign in ("=", "@", ":", ","):
        if sign in word:
            yield word.rpartition(sign)[2], how
    if any(sign in word for sign in " ;\n('\""):
        pieces = compiled(r"[\s;&|()<>`'\",\[\]{}]+").split(word)
        yield from ((piece, NAMED if how in (USED, PROGRAM) else how) for piece in pieces if piece)
