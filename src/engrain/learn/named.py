"""Named: whether what is missing can be had under the name that it is missed by.

Taught for one missing module, `pip install {module}` answers for another. But who imports `yaml` installs PyYAML; a
part of a package is not one; what lies in the project's own folder, or belongs to the language, is nowhere to be had;
and `npm install lodash/get` fetches what a stranger has put there. Of such a name no installer is told. On the hook's
path.
"""

from __future__ import annotations

import sys
from os.path import exists, isdir, join

from engrain.fingerprint.vocabulary import words
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PIP = r"(?:^|\s|/)(?:pip[\d.]*|pipx|uv|poetry|conda|mamba|pipenv|pdm|easy_install)\s(?:\S+\s+)*?(?:install|add)\s"
_NPM = r"(?:^|\s)(?:npm|pnpm|yarn|bun)\s(?:\S+\s+)*?(?:install|i|add|ci)\s|(?:^|\s)npx\s"
_OTHERS = (
    r"(?:^|\s)(?:apt|apt-get|dnf|yum|apk|pacman|brew|gem|cargo|composer|cpanm)\s(?:\S+\s+)*?(?:install|add|-S\w*)\s"
)

_INSTALLS = rf"{_PIP}|{_NPM}|{_OTHERS}"
_OF_PIP, _OF_NPM, _OF_OTHERS = r"[A-Za-z][\w-]*", r"(?:@[a-z0-9][\w.-]*/)?[a-z0-9][\w.-]*", r"[A-Za-z0-9][\w.+:@-]*"

_OTHERWISE = words(
    "yaml cv2 PIL sklearn skimage bs4 dotenv dateutil jwt Crypto Cryptodome OpenSSL nacl serial usb git attr MySQLdb",
    "psycopg magic docx pptx fitz zmq win32api win32con win32com pythoncom telegram discord gi jose multipart slugify",
    "Levenshtein pkg_resources ruamel socks rest_framework corsheaders environ faiss mpl_toolkits kafka google azure",
    "wx Xlib dns ldap memcache markdown_it sentence_transformers pywt",
    "umap igraph cairo apt dbus board RPi smbus snappy",
    "lzo Image ImageTk tkinter _tkinter _ctypes _sqlite3 _bz2 _lzma _ssl zlib readline nvidia tensorrt torch_geometric",
    "distutils imp asyncore asynchat smtpd cgi telnetlib haystack allauth guardian crispy_forms decouple",
    "flask_sqlalchemy flask_cors flask_login flask_migrate debug_toolbar django_filters storages",
)
"""Modules whose package has another name, or none: of what everybody uses, as those who publish it name it."""

_ONES_OWN = words(
    "src app apps lib libs utils util helpers common core config settings models main api server tests test"
)
"""What people call the folders of their own projects."""


def to_be_had(steps: Sequence[str], named: Mapping[str, str], folder: str = "") -> bool:
    """Whether these steps, with `{name}` for what varies, may be told of what this failure names."""
    # What is missed by its path is a file of somebody's own, which no installer brings.
    if any(compiled(_INSTALLS).search(f"{step} ") for step in steps) and named.get("module", "")[:1] in (".", "/"):
        return False
    return all(_may(step, value, folder) for step in steps for name, value in named.items() if f"{{{name}}}" in step)


def _may(step: str, value: str, folder: str) -> bool:
    said = f"{step} "
    if compiled(_PIP).search(said):
        own = value in _ONES_OWN or value in _OTHERWISE or value in sys.stdlib_module_names
        return compiled(_OF_PIP).fullmatch(value) is not None and not own and not _lies_in(folder, value)
    if compiled(_NPM).search(said):
        return compiled(_OF_NPM).fullmatch(value) is not None and value not in _ONES_OWN
    return not compiled(_OTHERS).search(said) or compiled(_OF_OTHERS).fullmatch(value) is not None


def _lies_in(folder: str, module: str) -> bool:
    """A module that is there is not missing: the program does not look where it is."""
    places = (folder, join(folder, "src")) if folder else ()
    return any(isdir(join(place, module)) or exists(join(place, f"{module}.py")) for place in places)
