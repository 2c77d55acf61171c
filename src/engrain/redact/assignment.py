"""Values that are secret because of the name they are given: `password=…` in any of the ways it is written.

For each keyword the whole name around it is read, then the link to its value (`=`, `:`, `">`, a following option, SQL …),
then the value as the language would end it. Whether that value is taken depends on how sure the name is:

    SURE      password, passphrase, pwd …        anything that is no placeholder and no code
    LIKELY    secret, token, api key, credential …   letters and digits mixed, or long and random
    MAYBE     key, auth, a provider's name …     random alone
"""

from __future__ import annotations

from collections import namedtuple

from engrain.redact.likely import code, mixed, nothing, path, random, switches, wordy
from engrain.redact.rule import Span, compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    class Keyword(NamedTuple):
        """`hint` in a name makes its value a secret of the rule `name`; `words` are the whole words that count."""

        hint: str
        name: str
        sure: int
        words: str
        what: str

    class Link(NamedTuple):
        """One way from a name to its value. `quoted`: the value must be; `loose`: it must also look like one."""

        name: str
        pattern: str
        quoted: bool = False
        loose: bool = False

    class Value(NamedTuple):
        """A value as it stands: its span, its quote or nothing."""

        start: int
        end: int
        quote: str
else:
    Keyword = namedtuple("Keyword", "hint name sure words what")
    Link = namedtuple("Link", "name pattern quoted loose", defaults=(False, False))
    Value = namedtuple("Value", "start end quote")

SURE, LIKELY, MAYBE = 3, 2, 1

KEYWORDS = (
    Keyword("pass", "password", SURE, r"(?:pass|pas+w(?:or)?d|pass?owrd|passw|passwords|passphrases?|passcode|passkey|passwort|\w*passw(?:or)?ds?|(?!(?:by|com|tres|over|under|sur|en|im)pass)\w{0,12}pass)$", "value named password, pass, passphrase …"),
    Keyword("pw", "password", SURE, r"(?:pwd?s?|\w{0,8}pwd|\w{0,6}pw)$", "value named pw, pwd"),
    Keyword("paasword", "password", SURE, r"\w*paasword$", "value named password, misspelt"),
    Keyword("kennwort", "password", SURE, r"kennwort$", "value named Kennwort"),
    Keyword("contrase", "password", SURE, r"contrase\w*$", "value named contraseña"),
    Keyword("secret", "secret", LIKELY, r"(?:\w*secrets?|\w*secretkey|secret\w{0,3})$", "value named secret"),
    Keyword("token", "token", LIKELY, r"(?:\w*token|tokens)$", "value named token"),
    Keyword("cred", "credential", LIKELY, r"(?:creds?|credentials?)$", "value named credential"),
    Keyword("api", "api-key", LIKELY, r"\w*apikeys?$", "value named API key"),
    Keyword("api", "api-key", MAYBE, r"api$", "random value named api"),
    Keyword("key", "key", MAYBE, r"\w*keys?$", "random value named key, or a value named access key, signing key …"),
    Keyword("auth", "auth", MAYBE, r"(?:\w*auth|authorization|authentication|oauth\d?)$", "random value named auth"),
    Keyword("signature", "signature", MAYBE, r"signature$", "random value named signature"),
    Keyword("sess", "session", MAYBE, r"(?:session|sessionid|sid)$", "random value named session"),
    Keyword("license", "license-key", MAYBE, r"(?:license|licence)$", "random value named license"),
)  # fmt: skip

_QUALIFIED = frozenset(
    """api apis access secret private encryption encrypt signing sign master account shared sharedaccess service license
    licence activation session storage subscription client app application consumer deploy webhook admin write read
    ingest integration product serial registration developer dev user host function primary secondary hmac aes rsa ssh
    jwt auth management merchant partner root server token data database db instrumentation cipher crypto wallet stream
    publishable test live prod production personal org organization project bot site recaptcha captcha maps search
    password wifi wpa psk symmetric cookie rails django flask laravel""".split()
)
"""Before `key`, these make it as likely a secret as `token`."""

_PUBLIC = frozenset(
    """public pub foreign cache primary sort partition row object hash lookup index group field column map press keyboard
    unique composite surrogate translation i18n locale route query param idempotency test_id data_testid css style icon
    react item list dict json enum message event label next last first start end page cursor continuation""".split()
)
_NAMING = frozenset(
    """name names id ids type types length len size count counts counter field fields file files filename path paths dir
    directory folder url urls uri endpoint column columns policy policies validator validators validation form forms label
    hint regex pattern prompt required reset change changed expires expired expiry expiration ttl version index limit
    limits class view views model manager provider generator min max minimum maximum usage used kind format algorithm alg
    method scheme error errors message messages msg status state exists valid invalid is has enabled disabled env var
    variable template placeholder description desc help title text info ref refs arn scope scopes list map set store
    storage service server host port user username email mode strength score rotation age date time at by for input inputs
    output budget per usd cost price encoding hasher hashers check checker test tests mock stub factory func function
    handler callback hook location position offset range start end begin pos width height color style icon button link
    page component element selector prefix suffix separator schema table param params parameter parameters attr
    prompts completion window context total cached details stream estimate rate""".split()
)
"""After the keyword, these say that the value only speaks of the secret."""

_NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_REACH = 48

LINKS = (
    Link("assign", r"(?:\\{0,3}[\"'`])?[\])]{0,2}(?:\[\w{0,8}\])?\s{0,24}(?::\s?[\w.&<>|\[\]?]{1,40}\s?=|(?::=|=>|->|===?|\?=|\|\|=|!=|~>|:|=))(?![=~:])[ \t]{0,40}(?:\\{0,1}\n[ \t]{1,40}(?=[\"']))?(?:\(\s?)?"),
    Link("field", r"\\{0,3}[\"']?\s{0,8},?\s{0,24}\\{0,3}[\"']?(?:value|Value|VALUE|default|content|defaultValue)\\{0,3}[\"']?\s?[:=]\s{0,4}"),
    Link("element", r"(?:\s[^<>\n]{0,120})?\\?>\s{0,40}(?:<!\[CDATA\[)?(?:</(?:key|name|Name|Key|th|td|dt)>\s{0,40}<(?:string|value|Value|td|dd)[^<>]{0,40}>\s{0,20})?"),
    Link("option", r"(?:[ \t]{1,8}|\\{0,3}[\"'],\s{0,8})"),
    Link("call", r"\\{0,3}[\"']?\s?\(\s?", quoted=True),
    Link("pair", r"\\{0,3}[\"']\s?,\s{0,8}", quoted=True),
    Link("word", r"[ \t]{1,4}(?:is |was |set to |to |by )?(?!`)", quoted=True, loose=True),
    Link("speech", r"(?:\s?\([^()\n]{0,20}\)|[ ,/-][\w ,/-]{0,24}?)?(?:\s?[:=(]\s?|\s-\s|\s(?:is|Is|was)\s|[ \t])(?:[a-z]{3,8}/)?", loose=True),
    Link("block", r"\\{0,3}[\"']?[ \t]?:[ \t]{0,4}[|>][-+]?[ \t]{0,4}\n[ \t]{1,24}"),
)  # fmt: skip

_QUOTE = r"[bBrRuUfFN@$]{0,2}(\\{0,7}(?:\"\"\"|'''|[\"'`]))"
_BARE = r"[^\s\"'`\\<>(){}\[\]«»,;|]{1,256}"
_ENV = r"[^\s\"'`\\«»]{1,256}"
_MORE = r"[A-Za-z0-9+/=_.-]*(?:(?:\s|\\[nr]){1,48}[A-Za-z0-9+/]{30,}={0,2}){0,200}"


_PROVIDERS = frozenset(
    """adafruit airtable algolia amplitude asana auth0 aws azure bitly bitfinex bittrex box cisco meraki clickup cloudant
    cloudflare cf codecov coinbase confluent consul contentful coveralls datadog deepgram discord discourse docusign
    doppler droneci dropbox dynatrace elastic etsy facebook fastly finicity finnhub flickr freshbooks gitter grafana
    heroku hubspot ibm intercom jfrog artifactory jira klaviyo kraken kucoin launchdarkly linear linkedin lob logentries
    loggly mailchimp mailgun mailjet mapbox mattermost messagebird mixpanel netlify newrelic newsapi nytimes okta openai
    opsgenie pagerduty pivotal plaid planetscale pubnub pusher rapidapi rollbar segment sendbird sendgrid sendinblue
    shodan shopify sidekiq slack snyk softlayer sonar sonarqube sourcegraph splunk squarespace stripe sumologic sumo
    teams telegram travis travisci trello twilio twitch twitter typeform vonage nexmo yandex zendesk virustotal
    weatherapi openweather sparkpost postmark mandrill cohere mistral pinecone anthropic huggingface replicate wandb
    databricks snowflake beamer kubernetes rancher portainer gitea gogs artif""".split()
)
"""A random value that closely follows one of these names is taken for its key."""

_SUMS = frozenset("sha hash commit rev digest sum checksum integrity sha1 sha256 sha512 md5 blob tree build".split())


def provided(text: str, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Random values assigned to the name of a provider (`mailchimp = "…"`, `algolia-key: …`)."""
    for start, end in runs:
        if not 20 <= end - start <= 128 or not random(text[start:end], 20):
            continue
        head = text[max(0, start - 64) : start].rpartition("\n")[2]
        if not head.rstrip(" \\\"'`").endswith(("=", ":", ",", ">")):
            continue
        words = [word.lower() for word in compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+").findall(head[-48:])]
        if _PROVIDERS.intersection(words) and not _NAMING.intersection(words[-3:]) and not _SUMS.intersection(words):
            yield Span(start, end, "provider-key")


def assignment(text: str, at: int, size: int) -> tuple[Span | None, int]:
    """The secret whose name has a keyword here, if there is one, and where to go on."""
    head = text[max(0, at - _REACH) : at]
    start = at - (len(head) - len(head.rstrip(_NAME)))
    end = _end_of(r"[A-Za-z0-9_-]{0,48}", text, at + size)
    name = text[start:end].strip("-.")
    keyword, sure = _judged(name)
    if keyword is None:
        return None, end
    option = text[start] == "-"
    for link in LINKS:
        if link.name == "option" and not option:
            continue
        joined = compiled(link.pattern).match(text, end)
        if not joined:
            continue
        value = _value(text, joined.end(), _env_like(text, start, name, joined[0]))
        if value and (value.quote or not link.quoted) and _taken(text, value, sure, link, name, joined[0]):
            return _span(text, value, keyword, joined[0]), max(end, value.end)
    return None, end


_judgements: dict[str, tuple[Keyword | None, int]] = {}


def _judged(name: str) -> tuple[Keyword | None, int]:
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
    if after and (after[-1] in _NAMING or after[0] in _NAMING):
        return 0
    if "public" in before[-2:] or "pub" in before[-1:]:
        return 0
    if keyword.hint == "key":
        if after and after[-1] not in ("base", "value", "secret", "bytes", "pem", "b"):
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


def _env_like(text: str, start: int, name: str, link: str) -> bool:
    """`DB_PASSWORD=…` at the start of a line or after `export`: the value goes to the next space."""
    if link != "=" or not name.isupper():
        return False
    before = text[max(0, start - 1) : start]
    return before in ("", "\n", " ", "\t", "+", "-") or text[max(0, start - 2) : start] == "\\n"


def _value(text: str, at: int, whole: bool) -> Value | None:
    """What stands here as a string, or as a bare word."""
    opening = compiled(_QUOTE).match(text, at)
    if opening:
        quote = opening[1]
        end = _string_end(text, opening.end(), quote)
        return Value(opening.end(), end, quote) if end > opening.end() else None
    bare = compiled(_ENV if whole else _BARE).match(text, at)
    if not bare:
        return None
    end = bare.end()
    if end - at == 256:
        end = _end_of(r"[^\s\"'`\\<>(){}\[\]«»,;|]*", text, end)
    while end > at and text[end - 1] in ".,:;!?&" and not whole:
        end -= 1
    return Value(at, end, "") if end > at else None


def _end_of(pattern: str, text: str, at: int) -> int:
    found = compiled(pattern).match(text, at)
    return found.end() if found else at


def _string_end(text: str, at: int, quote: str) -> int:
    """Where a string ends, escapes read in pairs, so that what is left is still well-formed."""
    slashes = len(quote) - len(quote.lstrip("\\"))
    mark = quote[slashes:]
    if slashes == 0 and len(mark) == 1:
        return _end_of(rf"(?:[^{mark}\\\n]|\\[^\n]){{0,8192}}", text, at)
    if slashes == 0:
        end = text.find(mark, at, at + 8192)
        return end if end >= 0 else at
    end = _end_of(rf"(?:[^{mark}\\\n]|\\[^{mark}\nnr]){{0,8192}}", text, at)
    spare = slashes - 1
    while spare > 0 and end - 2 >= at and text[end - 2 : end] == "\\\\":
        end, spare = end - 2, spare - 2
    return end


def _taken(text: str, value: Value, sure: int, link: Link, name: str, joined: str) -> bool:
    """Whether this value, at this link, under a name this sure, is a secret."""
    given = text[value.start : value.end].strip()
    if nothing(given) or given.lower() in name.lower():
        return False
    if not value.quote and text[value.end : value.end + 1] in ("(", "[", "{") and code(given + text[value.end]):
        return False
    if joined[-1:] == "(" and not value.quote:
        return False
    if (link.loose or name.lower() == "pass") and not _stands_out(given, value):
        return False
    if sure == SURE:
        return _password(given, value, link, name, joined)
    if path(given) or " " in given or len(given) < 6:
        return bool(value.quote) and _wrapped(given)
    if compiled(r"(?:[A-Z0-9]{4,8}-){3,7}[A-Z0-9]{4,8}$").match(given) and "key" in name.lower():
        return True
    if sure == LIKELY:
        return random(given, 12) and not code(given) or (len(given) >= 6 and mixed(given) and not wordy(given) and not _called(given))
    return random(given, 12 if value.quote else 20) and not _names_a_thing(given) and not (code(given) and not value.quote)


def _wrapped(given: str) -> bool:
    """Base64 over several lines inside one string."""
    return bool(compiled(r"[A-Za-z0-9+/=_-]{16,}(?:\s+[A-Za-z0-9+/=_-]{8,})+$").match(given)) and switches(given) > 8


def _stands_out(given: str, value: Value) -> bool:
    """Looks like a secret in running text: a word that is none."""
    if value.quote and " " in given:
        return False
    return 6 <= len(given) <= 4096 and any(c.isdigit() for c in given) and mixed(given) and switches(given) >= 2 and not path(given) and not _called(given) and not compiled(r"[\w.-]+@|[\d.:/x-]+$").match(given)  # fmt: skip


def _called(given: str) -> bool:
    """An identifier, a version, a date, a dotted or dashed name with numbers in it."""
    return bool(
        compiled(
            r"[a-zA-Z]+(?:[-_.][a-zA-Z]+)*[-_.]?\d{0,3}$|v?\d+(?:[.:-]\d+)+\w*$|[\d.,]+[a-zA-Z%]{0,3}$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
            r"|[a-z0-9]+(?:[-_][a-z]+)+(?:[-_]\d{1,3})?$|0x[0-9a-f]{1,8}$|\w+\.\w+(?:\.\w+)*$"
        ).match(given)
    ) and not random(given, 20)


def _names_a_thing(given: str) -> bool:
    """UUIDs, commit hashes and checksums name things unless something says otherwise."""
    return bool(compiled(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|sha\d+[-:]|[0-9a-f]{40}$|[0-9a-f]{64}$").match(given))


def _password(given: str, value: Value, link: Link, name: str, joined: str) -> bool:
    if value.quote:
        return _literal_password(given, link)
    plain = given.isalpha() or code(given)
    if link.name == "element":
        return text_like(given)
    if plain:
        return joined == "=" and name.isupper() and given.isalpha() and len(given) >= 4
    if given.replace(".", "", 1).isdigit():
        return len(given) >= 4 and "." not in given and name.lower() not in ("pass", "pw")
    if path(given) or (name.lower() in ("pwd", "oldpwd") and given[0] in "/~."):
        return False
    if compiled(r"[a-z_]+\d?$|[A-Za-z_]\w*\.\w+$|[-+*/&|!?.:=]+$|\d+(?:\.\d+)*[a-z%]{0,2}[,;]?$").match(given):
        return link.name in ("assign", "option") and any(c.isdigit() for c in given) and " " not in joined and len(given) >= 6
    return len(given) >= 4


def text_like(given: str) -> bool:
    return len(given) >= 4 and not given.startswith("/")


def _literal_password(given: str, link: Link) -> bool:
    """A quoted password: one word of it, or several with something random among them."""
    if "\n" in given or len(given) > 4096:
        return False
    if any(c.isspace() for c in given):
        return len(given) < 80 and any(mixed(word) and not wordy(word) for word in given.split())
    if path(given) or compiled(r"(?i)[\w-]*passw(?:or)?ds?[\w-]*$|\^|.*\\[wds]|[\w.]+\.[a-z]{2,4}$|/|#|\.[a-z]").match(given):
        return any(c.isdigit() for c in given) and mixed(given) and not path(given) and not compiled(r"(?i)[a-z_-]*passw(?:or)?ds?[a-z_-]*\d{0,1}$").match(given)
    if compiled(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$").match(given):
        return False
    if link.name in ("pair", "word", "call", "field") and given.isalpha() and not mixed(given):
        return link.name == "call" and len(given) >= 6
    return len(given) >= 3


def _span(text: str, value: Value, keyword: Keyword, joined: str) -> Span:
    """The value's span; a bare one inside JSON gets the quotes of its key."""
    start, end = value.start, value.end
    if random(text[start:end], 40) and text[end : end + len(value.quote)] != (value.quote or " "):
        end = max(end, _end_of(_MORE, text, end))
    quote = ""
    if not value.quote:
        closing = compiled(r"(\\{0,3}[\"'])\s{0,24}:\s{0,40}$").match(joined)
        after = text[end : end + 16].lstrip()
        quote = closing[1] if closing and after[:1] in ("", ",", "}", "]") else ""
    return Span(start, end, keyword.name, quote)


def named(key: str, value: str) -> str:
    """The rule under which this value, in a JSON object under this key, is a secret; nothing if it is none."""
    keyword, sure = _judged(key[-96:])
    if keyword and value.strip() and _taken(value, Value(0, len(value), '"'), sure, LINKS[0], key, ":"):
        return keyword.name
    return ""
