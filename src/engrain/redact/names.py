"""How much a name promises: `password` much, `password_field` nothing, `api_key` more than `key`.

A name is read word by word, in whatever case it is written. The keyword says how sure its value is a secret, the words
before it may make it surer or public, the words after it say what of the secret is meant.

    SURE      password, passphrase, pwd …
    LIKELY    secret, token, api key, credential …
    MAYBE     key, auth, session …
"""

from __future__ import annotations

from collections import namedtuple

from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Keyword(NamedTuple):
        """`hint` in a name makes its value a secret of the rule `name`; `words` are the whole words that count."""

        hint: str
        name: str
        sure: int
        words: str
        what: str
else:
    Keyword = namedtuple("Keyword", "hint name sure words what")

SURE, LIKELY, MAYBE = 3, 2, 1

KEYWORDS = (
    Keyword(
        "pass",
        "password",
        SURE,
        r"(?:pass|pas+w(?:or)?d|pass?owrd|passw|passwords|passphrases?|passcode|passkey|passwort"
        r"|\w*passw(?:or)?ds?|(?!(?:by|com|tres|over|under|sur|en|im)pass)\w{0,12}pass)$",
        "value named password, pass, passphrase …",
    ),
    Keyword("pw", "password", SURE, r"(?:pwd?s?|\w{0,8}pwd|\w{0,6}pw)$", "value named pw, pwd"),
    Keyword("paasword", "password", SURE, r"\w*paasword$", "value named password, misspelt"),
    Keyword("kennwort", "password", SURE, r"kennwort$", "value named Kennwort"),
    Keyword("contrase", "password", SURE, r"contrase\w*$", "value named contraseña"),
    Keyword("psk", "password", SURE, r"psk$", "value named psk"),
    Keyword("secret", "secret", LIKELY, r"(?:\w*secrets?|\w*secretkey|secret\w{0,3})$", "value named secret"),
    Keyword("token", "token", LIKELY, r"(?:\w*token|tokens)$", "value named token"),
    Keyword("cred", "credential", LIKELY, r"(?:creds?|credentials?)$", "value named credential"),
    Keyword("api", "api-key", LIKELY, r"\w*apikeys?$", "value named API key"),
    Keyword("api", "api-key", MAYBE, r"api$", "random value named api"),
    Keyword("key", "key", MAYBE, r"\w*keys?$", "random value named key, or a value named access key, signing key …"),
    Keyword("auth", "auth", MAYBE, r"(?:\w*auth|authorization|authentication|oauth\d?)$", "random value named auth"),
    Keyword("signature", "signature", MAYBE, r"signature$", "random value named signature"),
    Keyword("sess", "session", MAYBE, r"(?:session|sessionid|sid)$", "random value named session"),
    Keyword("cookie", "cookie", MAYBE, r"cookie$", "random value named cookie"),
    Keyword("license", "license-key", MAYBE, r"(?:license|licence)$", "random value named license"),
)

_QUALIFIED = vocabulary(
    """
    api apis access secret private encryption encrypt signing sign master account shared sharedaccess service
    license licence activation session storage subscription client app application consumer deploy webhook admin
    write read ingest integration product serial registration developer dev user host function primary secondary
    hmac aes rsa ssh jwt auth management merchant partner root server token data database db instrumentation
    cipher crypto wallet stream publishable test live prod production personal org organization project bot site
    recaptcha captcha maps search password wifi wpa psk symmetric cookie rails django flask laravel
    """
)
"""Before `key`, these make it as likely a secret as `token`."""

_PUBLIC = vocabulary(
    """
    public pub foreign cache primary sort partition row object hash lookup index group field column map press
    keyboard unique composite surrogate translation i18n locale route query param idempotency test_id
    data_testid css style icon react item list dict json enum message event label next last first start end page
    cursor continuation
    """
)
NAMING = vocabulary(
    """
    name names id ids type types length len size count counts counter field fields file files filename path
    paths dir directory folder url urls uri endpoint column columns policy policies validator validators
    validation form forms label hint regex pattern prompt required reset change changed expires expired expiry
    expiration ttl version index limit limits class view views model manager provider generator min max minimum
    maximum usage used kind format algorithm alg method scheme error errors message messages msg status state
    exists valid invalid is has enabled disabled env var variable template placeholder description desc help
    title text info ref refs arn scope scopes list map set store storage service server host port user username
    email mode strength score rotation age date time at by for input inputs output budget per usd cost price
    encoding hasher hashers check checker test tests mock stub factory func function handler callback hook
    location position offset range start end begin pos width height color style icon button link page component
    element selector prefix suffix separator schema table param params parameter parameters attr prompts
    completion window context total cached details stream estimate rate
    """
)
"""After the keyword, these say that the value only speaks of the secret."""

_judgements: dict[str, tuple[Keyword | None, int]] = {}


def judged(name: str) -> tuple[Keyword | None, int]:
    """The keyword by which this name promises most, and how much. Names repeat, so the last few thousand are kept."""
    known = _judgements.get(name)
    if known is None:
        if len(_judgements) > 4096:
            _judgements.clear()
        known = (None, 0)
        low = name.lower()
        for keyword in KEYWORDS:
            if keyword.hint in low and (sure := _sureness(name, keyword)) > known[1]:
                known = (keyword, sure)
        _judgements[name] = known
    return known


def _sureness(name: str, keyword: Keyword) -> int:
    """How much the whole name promises: `password` much, `password_field` nothing, `api_key` more than `key`."""
    words = [word.lower() for word in compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+").findall(name)]
    place = _place(words, keyword)
    if place < 0:
        return 0
    after, before = words[place + 1 :], words[:place]
    if after and (after[-1] in NAMING or after[0] in NAMING):
        return 0
    if "public" in before[-2:] or "pub" in before[-1:]:
        return 0
    if words[place] == "pass" and after and not after[-1].isdigit():
        return 0
    if keyword.hint == "key":
        if after and after[-1] not in ("base", "value", "secret", "bytes", "pem", "b", "data"):
            return 0
        if before and before[-1] in _PUBLIC:
            return 0
        qualified = (before and before[-1] in _QUALIFIED) or words[place] not in ("key", "keys")
        return LIKELY if qualified else MAYBE
    return keyword.sure


def _place(words: list[str], keyword: Keyword) -> int:
    pattern = compiled(keyword.words)
    for place in range(len(words) - 1, -1, -1):
        if pattern.match(words[place]):
            return place
    joined = "".join(words)
    if keyword.sure == SURE and len(keyword.hint) > 3 and "passw" in joined:
        return max(i for i in range(len(words)) if "pass" in words[i] or i == 0)
    return len(words) - 1 if keyword.hint == "apikey" and "apikey" in joined else -1
