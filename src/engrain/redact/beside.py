"""Secrets that give themselves away by what stands near: a provider's name, an id that belongs to them, a word of
another language, the record that they are in. Their own shape says at most that they are random.
"""

from __future__ import annotations

from itertools import pairwise

from engrain.patterns import compiled
from engrain.redact.likely import nothing, random, stands_out, switches
from engrain.redact.names import NAMING
from engrain.redact.rule import Span, vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PROVIDERS = vocabulary(
    """
    adafruit airtable algolia amplitude asana auth0 aws azure bitly bitfinex bittrex box cisco meraki clickup
    cloudant cloudflare cf codecov coinbase confluent consul contentful coveralls datadog deepgram discord
    discourse docusign doppler droneci dropbox dynatrace elastic etsy facebook fastly finicity finnhub flickr
    freshbooks gitter grafana heroku hubspot ibm intercom jfrog artifactory jira klaviyo kraken kucoin
    launchdarkly linear linkedin lob logentries loggly mailchimp mailgun mailjet mapbox mattermost messagebird
    mixpanel netlify newrelic newsapi nytimes okta openai opsgenie pagerduty pivotal plaid planetscale pubnub
    pusher rapidapi rollbar segment sendbird sendgrid sendinblue shodan shopify sidekiq slack snyk softlayer
    sonar sonarqube sourcegraph splunk squarespace stripe sumologic sumo teams telegram travis travisci trello
    twilio twitch twitter typeform vonage nexmo yandex zendesk virustotal weatherapi openweather sparkpost
    postmark mandrill cohere mistral pinecone anthropic huggingface replicate wandb databricks snowflake beamer
    algoliasearch
    kubernetes rancher portainer gitea gogs artif
    """
)
"""A random value that closely follows one of these names is taken for its key."""

_SUMS = vocabulary("sha hash commit rev digest sum checksum integrity sha1 sha256 sha512 md5 blob tree build oid")


def provided(text: str, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Random values assigned to the name of a provider (`mailchimp = "…"`, `algolia-key: …`)."""
    for start, end in runs:
        if not 20 <= end - start <= 128 or not random(text[start:end], 20):
            continue
        head = text[max(0, start - 64) : start].rpartition("\n")[2]
        if not head.rstrip(" \\\"'`").endswith(("=", ":", ",", ">", "(")):
            continue
        words = [word.lower() for word in compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+").findall(_named_in(head))]
        if _PROVIDERS.intersection(words) and not NAMING.intersection(words[-3:]) and not _SUMS.intersection(words):
            yield Span(start, end, "provider-key")


def _named_in(head: str) -> str:
    """The end of it without what has several digits: the letters of a hash spell names, too."""
    return compiled(r"\w*\d\w*\d\w*").sub(" ", head[-48:])


_FOREIGN = (
    r"(?:비밀번호|비번|암호|패스워드|密码|密碼|口令|パスワード|暗証番号|пароль|Пароль|ПАРОЛЬ)"
    r"[\w ]{0,16}[\"']?\s?(?:[:=(：,-]|=>|は|是)?\s?[\"'(]?([^\s\"'`\\<>(){}\[\]«»,;|]{4,128})"
)


def foreign(text: str) -> Iterator[Span]:
    """Passwords announced in other scripts and languages."""
    if text.isascii():
        return
    for match in compiled(_FOREIGN).finditer(text):
        if stands_out(match[1]) and not nothing(match[1]):
            yield Span(match.start(1), match.end(1), "password")


_COMPANIONS = {
    "aws-key-id": ("aws-secret-key", r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])"),
    "google-oauth-id": ("google-oauth-secret", r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9_-]{24}(?![A-Za-z0-9/+=_-])"),
    "twilio-key": ("twilio-secret", r"(?<![A-Za-z0-9/+=_-])[0-9a-f]{32}(?![A-Za-z0-9/+=_-])"),
}
"""An id of the left kind is followed closely by its secret, which has no shape of its own but its length."""


def companions(text: str, found: list[Span]) -> Iterator[Span]:
    """Secrets beside the id that they belong to."""
    done = 0
    for span in sorted(found):
        if span.rule in _COMPANIONS and span.start >= done:
            name, pattern = _COMPANIONS[span.rule]
            done = span.end + 320
            for match in compiled(pattern).finditer(text, max(0, span.start - 160), done):
                if switches(match[0]) >= 6:
                    yield Span(match.start(), match.end(), name)


_REACH = 8192
_KEY_PART = (
    r"[\"'](?:d|p|q|dp|dq|qi|k)\\{0,3}[\"']\s{0,4}:\s{0,4}\\{0,3}[\"']"
    r"([A-Za-z0-9+/_-]{16,2048}={0,2})(?=\\{0,3}[\"'])"
)
_NEXT = r"(?m)^(?:---|[ \t]*- (?=apiVersion:|kind:))"
_KIND = r"(?m)^[ \t]*(?:- )?kind: [\"']?Secret[\"']?[ \t]*\r?$"
_DATA = r"(?m)^([ \t]*(?:- )?)(?:data|stringData):[ \t]*$((?:\r?\n(?:[ \t]+[^\n]*)?)+)"
_ENTRY = r"(?m)^([ \t]+)[\"']?[\w.-]{1,253}[\"']?:[ \t]+[\"']?([^\s\"'|>&*{\[#«][^\s\"'«»]{3,})"
_JSON_DATA = r"[\"'](?:data|stringData)\\{0,3}[\"']\s?:\s?\{([^{}]{1,8192})\}"
_JSON_ENTRY = r"\\{0,3}[\"']\s?:\s?\\{0,3}[\"']([^\"'\\«»\n]{4,})"


def neighbours(text: str, low: bytes) -> Iterator[Span]:
    """What is secret because of the record that it belongs to: parts of a web key, values of a Kubernetes Secret."""
    for begin, end in _stretches(low, (b'kty"', b"kty'", b'kty\\"')):
        for part in compiled(_KEY_PART).finditer(text, begin, end):
            if random(part[1]):
                yield Span(part.start(1), part.end(1), "jwk")
    for begin, end in _stretches(low, (b"kind: secret", b'kind: "secret')):
        yield from _manifest(text, begin, end)
    for begin, end in _stretches(low, (b'"kind":"secret"', b'"kind": "secret"')):
        for data in compiled(_JSON_DATA).finditer(text, begin, end):
            for entry in compiled(_JSON_ENTRY).finditer(text, data.start(1) - 1, data.end(1)):
                yield Span(entry.start(1), entry.end(1), "kubernetes-secret")


def _manifest(text: str, begin: int, end: int) -> Iterator[Span]:
    """The values under `data:`, in each document that says to be a Secret."""
    edges = [begin, *(edge.start() for edge in compiled(_NEXT).finditer(text, begin, end)), end]
    for start, stop in pairwise(edges):
        if not compiled(_KIND).search(text, start, stop):
            continue
        for data in compiled(_DATA).finditer(text, start, stop):
            for entry in compiled(_ENTRY).finditer(text, data.start(2), data.end(2)):
                if len(entry[1]) <= len(data[1]):
                    break
                yield Span(entry.start(2), entry.end(2), "kubernetes-secret")


def _stretches(low: bytes, words: tuple[bytes, ...]) -> Iterator[tuple[int, int]]:
    """Stretches of the text around these words, apart from one another."""
    places = sorted(place for word in words for place in _places(low, word))
    begin = end = 0
    for place in places:
        if place > end:
            if end:
                yield begin, end
            begin = max(end, place - _REACH)
        end = place + _REACH
    if end:
        yield begin, end


def _places(low: bytes, word: bytes) -> Iterator[int]:
    at = low.find(word)
    while at >= 0:
        yield at
        at = low.find(word, at + len(word))
