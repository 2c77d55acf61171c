"""Secrets that give themselves away by what stands near: a provider's name, an id that belongs to them, a word of
another language. Their own shape says only that they are random.
"""

from __future__ import annotations

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
        if not head.rstrip(" \\\"'`").endswith(("=", ":", ",", ">")):
            continue
        words = [word.lower() for word in compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+").findall(head[-48:])]
        if _PROVIDERS.intersection(words) and not NAMING.intersection(words[-3:]) and not _SUMS.intersection(words):
            yield Span(start, end, "provider-key")


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
                if switches(match[0]) >= 8:
                    yield Span(match.start(), match.end(), name)
