"""What is redacted and what is not, as rows: (label, text with {s} where the secret stands, secret, rule)."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from engrain.redact import redact, redact_value, redacted
from tests.redact.redact_fakes import (
    BASE32,
    BASE62,
    BASE64,
    HEX,
    JWT,
    LOWER,
    PASSWORD,
    PEM,
    PEM_BODY,
    PROVIDED,
    UPPER,
    URLSAFE,
    lot,
    uuid,
)

P, T, H40 = PASSWORD, lot(BASE62, 32), lot(HEX, 40)


def wrapped(text: str) -> str:
    return b64encode(text.encode()).decode()


SECRET_RECORD = {"kind": "Secret", "data": {"a": "c3dv"}}

PLACES = (
    ("alone", "{s}"),
    ("in a sentence", "use {s} for it"),
    ("assigned", "export THE_VALUE={s}\n"),
    ("in JSON", '{"value": "{s}", "n": 1}'),
    ("after an escaped line end", r'{"log": "start\n{s}\nend"}'),
    ("after an escaped letter", r'{"log": "\u00e9{s} \x1b{s}"}'),
    ("in a diff", "-old\n+  value: '{s}'\n"),
    ("in a traceback", 'ValueError: bad value "{s}"\n  File "x.py", line 3'),
    ("in a URL", "GET https://api.example.com/v1/{s}/items"),
    ("coloured", "\x1b[32m{s}\x1b[0m"),
)

ASSIGNED = (
    ("shell", "export DB_PASSWORD={s}\n", P, "password"),
    ("shell, quoted", 'PGPASSWORD="{s}" psql', P, "password"),
    ("shell, one of several", "user=bob password={s} host=db", "hunter", "password"),
    (".env with signs", "SMTP_PASS=#{s}&x\nNEXT=1", "a,b(c" + P, "password"),
    ("JSON", '{"password": "{s}"}', "hunter2", "password"),
    ("JSON in JSON", r'{"a": "{\"password\": \"{s}\"}"}', "hunter2", "password"),
    ("JSON in JSON in JSON", r'{"a": "{\"b\": \"{\\\"password\\\": \\\"{s}\\\"}\"}"}', "hunter2", "password"),
    ("YAML", "db:\n  password: {s}\n  port: 1", P, "password"),
    ("YAML, a word", "db:\n  password: {s}\n  port: 1", "swordfish", "password"),
    ("YAML, a block", "data:\n  secret: |\n    {s}\n", T, "secret"),
    ("YAML of Kubernetes", "- name: DB_PASSWORD\n  value: {s}\n", P, "password"),
    ("JSON of an environment", '{"name": "API_TOKEN", "value": "{s}"}', T, "token"),
    ("TOML", "api_key = '{s}'", T, "key"),
    ("ini", "[db]\npassword={s}\n", "swordfish", "password"),
    ("XML element", "<password>{s}</password>", P, "password"),
    ("XML attribute", '<db user="a" password="{s}"/>', P, "password"),
    ("XML of .NET", '<add key="ApiPassword" value="{s}" />', P, "password"),
    ("property list", "<key>password</key>\n  <string>{s}</string>", P, "password"),
    ("PowerShell", '$password = "{s}"', P, "password"),
    ("PowerShell, secure string", 'ConvertTo-SecureString "{s}" -AsPlainText -Force', P, "command-password"),
    ("Python", 'password: str = "{s}"', P, "password"),
    ("Python, index", 'os.environ["API_TOKEN"] = "{s}"', T, "token"),
    ("Python, default", 'os.environ.get("SECRET_KEY", "{s}")', T, "secret"),
    ("Python, call", 'client.set_password("{s}")', P, "password"),
    ("C", 'char password[] = "{s}";', P, "password"),
    ("Ruby", ':password => "{s}",', P, "password"),
    ("Go", 'password := "{s}"', P, "password"),
    ("option", "tool --password {s} --verbose", P, "password"),
    ("option with sign", "tool --db-password={s} --verbose", P, "password"),
    ("connection string", "Server=db;Uid=sa;Pwd={s};Encrypt=yes", P, "password"),
    ("account key", "AccountName=x;AccountKey={s};", lot(BASE64, 86) + "==", "key"),
    ("query", "https://x.example/cb?access_token={s}&state=1", T, "token"),
    ("header", "X-Api-Key: {s}", T, "key"),
    ("header of GitLab", "PRIVATE-TOKEN: {s}", T, "token"),
    ("prose", "my password is {s}", P, "password"),
    ("prose, whose", "password for root: {s}", P, "password"),
    ("non-breaking space", "password\u00a0=\u00a0{s}", P, "password"),
    ("full-width colon", "password：{s}", P, "password"),
    ("smart quotes", "password = “{s}”", P, "password"),
    ("one dash", "java -jar x.jar -password {s} -user jo", P, "password"),
    ("environment of a container", "docker run -e POSTGRES_PASSWORD={s} -p 5432:5432 db", "swordfish", "password"),
    ("environment of a command", "PGPASSWORD={s} psql -h db", "swordfish", "password"),
    (".env, a secret of words", "JWT_SECRET={s}\nPORT=1\n", "orangejuicebottle", "secret"),
    ("passphrase of words", "export BORG_PASSPHRASE='{s}'", "correct horse battery staple", "password"),
    ("Terraform variable", 'variable "db_password" {\n  type = string\n  default = "{s}"\n}', P, "password"),
    ("Python, over lines", 'api_key = (\n    "{s}"\n)', T, "key"),
    ("bytes", 'app.secret_key = b"{s}"', r"\x8a\x0f\xd1\x07q\x99\xee\x12\xa0", "secret"),
    ("in braces", "Uid=jo;Pwd={{s}};", P + ";x", "password"),
    ("Spanish", "contraseña: {s}", P, "password"),
    ("French", "mot de passe : {s}", P, "password"),
    ("coloured", '\x1b[34;1m"password"\x1b[0m\x1b[39m:\x1b[0m \x1b[32m"{s}"\x1b[0m', "hunter2", "password"),
    ("wifi", 'ssid="x"\npsk="{s}"\n', P, "password"),
    ("Korean", "비밀번호: {s}", P, "password"),
    ("secret in hex", 'LEGACY_SECRET = "{s}"', H40, "secret"),
    ("key of a provider", "mailjet: {s}", lot(HEX, 32), "provider-key"),
)

STRUCTURED = (
    ("Authorization", "Authorization: Bearer {s}", T, "authorization"),
    ("Authorization, basic", 'curl -H "Authorization: Basic {s}"', "dXNlcjpo" + "dW50ZXIy", "authorization"),
    ("Authorization in JSON", '{"Authorization": "token {s}"}', T, "authorization"),
    ("cookie", "Cookie: {s}", "", ""),
    ("URL", "postgres://bob:{s}@db.example:5432/app", P, "url-password"),
    ("URL without user", "redis://:{s}@cache:6379", P, "url-password"),
    ("URL, token as user", "https://{s}@github.com/a/b.git", T, "url-password"),
    ("Slack webhook", "https://hooks.slack.com/services/{s}", "T0AB1/B0ABC2/" + lot(BASE62, 24), "slack-webhook"),
    ("Discord webhook", "https://discord.com/api/webhooks/{s}", "1" * 18 + "/" + lot(BASE62, 68), "discord-webhook"),
    ("one-time passwords", "otpauth://totp/x?secret={s}&issuer=y", lot(BASE32, 32), "otp-seed"),
    ("2FA seed", "2FA backup seed: {s}", lot(BASE32, 32), "otp-seed"),
    ("bcrypt", "bob:{s}:1000", "$2b$12$" + lot(BASE62, 53), "password-hash"),
    ("shadow", "root:{s}:19000:0:::", "$6$saltsalt$" + lot(BASE62, 86), "password-hash"),
    ("curl", "curl -u bob:{s} https://example.com", P, ""),
    ("mysql", "mysql -u root -p{s} app", P, "command-password"),
    ("sshpass", "sshpass -p {s} ssh root@host", P, ""),
    ("zip", "zip -P {s} a.zip b", P, "command-password"),
    ("httpie", "http -a bob:{s} GET example.com", P, ""),
    ("twine", "twine upload -u bob -p {s} dist/*", P, "command-password"),
    ("mongo", "mongodump -u bob -p {s}", P, "command-password"),
    ("openssl", "openssl enc -aes-256-cbc -k {s} -in x", P, "command-password"),
    ("ssh-keygen", "ssh-keygen -t rsa -N {s} -f key", P, "command-password"),
    ("aws configure", "aws configure set aws_secret_access_key {s}", lot(BASE64, 40), "command-password"),
    ("npm config", "npm config set //registry.npmjs.org/:_authToken {s}", P, "command-password"),
    ("poetry config", "poetry config http-basic.own bob {s}", P, "command-password"),
    ("poetry, token", "poetry config pypi-token.pypi {s}", P, "command-password"),
    ("setx", "setx API_TOKEN {s}", P, "command-password"),
    ("dotnet", 'dotnet user-secrets set "Api:Key" {s}', P, "command-password"),
    ("gh secret", "gh secret set API_TOKEN --body {s}", P, "command-password"),
    ("wrangler secret", "wrangler secret put API_KEY <<< {s}", P, "command-password"),
    ("vault login", "vault login {s}", P, "command-password"),
    ("openssl, standard form", "openssl rsa -in k.pem -passin pass:{s}", "WwFLaZfuTXbg", "command-password"),
    ("fish", "set -gx API_TOKEN {s}", T, "command-password"),
    ("login with a token", "wandb login {s}", H40, "command-password"),
    ("login with a UUID", "snyk auth {s}", uuid(), "command-password"),
    ("ngrok", "ngrok config add-authtoken {s}", T, "command-password"),
    ("secure parameter", "aws ssm put-parameter --type SecureString --value {s} --name x", P, "command-password"),
    ("given to wrangler", "echo {s} | wrangler secret put API_KEY", T, "command-password"),
    ("sqlplus", "sqlplus scott/{s}@db", P, "command-password"),
    ("lftp", "lftp -u jo,{s} sftp.example.com", P, "command-password"),
    ("expect", 'expect "Password:"\nsend "{s}\\r"', P, "command-password"),
    ("WordPress", "define('AUTH_KEY',  '{s}');", "ZQ&!?0.Llw!TI;w0p7,8,CUL0nklTL!BzYLY%G^vA6f<0TA", ""),
    ("pgpass", "db.example:5432:shop:app:{s}\n", P, "password"),
    ("pgpass, any host", "*:*:*:postgres:{s}\n", P, "password"),
    ("cookie jar", ".example.com\tTRUE\t/\tFALSE\t1735689600\tsession\t{s}\n", T, "cookie"),
    ("code of an authorization", "GET /callback?code={s}&state=xyz HTTP/1.1", lot(URLSAFE, 48), "authorization"),
    ("node of a chain", "https://mainnet.infura.io/v3/{s}", lot(HEX, 32), "api-key"),
    ("Oracle", "jdbc:oracle:thin:scott/{s}@//db.example:1521/ORCL", P, "url-password"),
    ("Fernet", "Fernet(b'{s}')", lot(URLSAFE, 43) + "=", "fernet-key"),
    ("Jenkins", "<secret>{{s}}</secret>", "AQAAABAAAAAQ" + lot(BASE64, 43) + "=", "jenkins-secret"),
    ("recovery codes", "Recovery codes:\n{s}", "qu1qm-fzxl8\nubx1g-cm8eq\nheb0u-ju7x2", "recovery-code"),
    ("application password", "GMAIL_APP_PASSWORD={s}\n", "vueh lewq ijkl mnop", "password"),
    ("base64 of a key", "echo {s} | base64 -d", wrapped("ghp_" + lot(BASE62, 36)), "github-token"),
    ("base64 of an environment", "user-data: {s}", wrapped(f"DB_PASSWORD={P}\n"), "password"),
    ("web key, RSA", '{"kty":"RSA","e":"AQAB","n":"AbC","d":"{s}"}', lot(URLSAFE, 342), "jwk"),
    ("web key, curve", '{ "kty": "EC", "crv": "P-256", "x": "AbC", "d": "{s}" }', lot(URLSAFE, 43), "jwk"),
    ("web key, symmetric", "{'k': '{s}', 'kty': 'oct'}", lot(URLSAFE, 43), "jwk"),
    ("web key in JSON", r'"{\"kty\":\"OKP\",\"d\":\"{s}\"}"', lot(URLSAFE, 43), "jwk"),
    ("Kubernetes", "kind: Secret\nmetadata:\n  name: app\ndata:\n  DSN: {s}\n", "cG9zdGdyZXM", "kubernetes-secret"),
    ("Kubernetes, plain", "stringData:\n  smtp: {s}\nkind: Secret\n", "swordfish", "kubernetes-secret"),
    ("Kubernetes in JSON", '{"kind":"Secret","data":{"a.b":"{s}"}}', "c3dvcmRmaXNo", "kubernetes-secret"),
    ("SQL", "CREATE USER bob IDENTIFIED BY '{s}';", "hunter2", "sql-password"),
    ("SQL of PostgreSQL", "ALTER ROLE bob WITH PASSWORD '{s}';", "hunter2", ""),
    ("signed URL", "https://b.s3.amazonaws.com/k?X-Amz-Signature={s}", lot(HEX, 64), "signed-url"),
    ("netrc", "machine example.com login bob password {s}", "hunter2", ""),
    ("license", "Activation key: {s}", "-".join(lot(UPPER, 5, n) for n in range(5)), "license-key"),
)  # fmt: skip

UNCHANGED = (
    (
        "settings that are no secret",
        (
            "npm config set strict-ssl false\naws configure set region eu-west-1\n"
            "npm config set //registry.npmjs.org/:_authToken ${NPM_TOKEN}\nsetx API_TOKEN %TOKEN%\n"
            "poetry config virtualenvs.in-project true"
        ),
    ),
    (
        "asked for",
        (
            "mongo -u bob -p --authenticationDatabase admin\ngh secret set TOKEN < file.txt\ncargo login\n"
            'vault login -method=userpass username=bob\nssh-keygen -t ed25519 -N "" -f key\nunzip -p a.zip file.txt'
        ),
    ),
    (
        "another kind than a Secret",
        "kind: ConfigMap\ndata:\n  LEVEL: debug\n---\nkind: Secret\nmetadata:\n  name: tls-cert\n",
    ),
    ("public web key", '{"kty": "RSA", "n": "' + lot(URLSAFE, 342) + '", "e": "AQAB", "kid": "a1"}'),
    ("readable base64", "body: " + wrapped("a long text in which there is nothing that must go")),
    ("letters in a hash", "assert '5cf4d9251d2400b6fda3026004098300' == 'b83c5d0765d183771675053679a26473'"),
    ("four words", "password: must have some text"),
    ("a passphrase that is a sentence", "passphrase: 'enter the passphrase of your key'"),
    ("code behind a name", "signature=inspect.signature(function)"),
    ("placeholders in a URL", "mongodb://<user>:<password>@host/db"),
    ("login of a person", "gh auth login\nsnyk auth\nheroku login -i\ngit login with-two-factor-authentication"),
    ("code of a country", "GET /items?code=DE&lang=en exit code=1 ?code=ERR_INVALID_ARG_TYPE"),
    ("places and ports", "nginx:1.25:80:tcp:http2Server src/a.py:12:5:E501:line 127.0.0.1:5432:5432"),
    ("nothing", "hello world"),
    ("variable of a shell", "PASSWORD=$DB_PASSWORD TOKEN=${TOKEN:?missing}"),
    ("variable of an action", "token: ${{ secrets.GITHUB_TOKEN }}"),
    ("environment of Node", "const key = process.env.OPENAI_API_KEY"),
    ("environment of Python", 'password = os.environ["DB_PASSWORD"]'),
    ("placeholder", "api_key: <your-api-key>"),
    ("placeholder in words", 'API_KEY="your-api-key-here"'),
    ("masked", "password: ********"),
    ("masked with x", "ghp_" + "x" * 36),
    ("type", "password: str\ntoken: string;\nsecret: Optional[str] = None"),
    ("call", "password = get_password(user)\ntoken = self.next_token()"),
    ("itself", "login(username=username, password=password)"),
    ("attribute", "passwordField.value = this.password.trim()"),
    ("prompt", 'getpass("Enter your password: ")'),
    ("label", '<label for="password">Password</label><input type="password" name="password"/>'),
    ("message", '{"password": "This field is required."}'),
    ("counts", '{"input_tokens": 12345, "max_tokens": 4096, "totalTokens": 100}'),
    ("names in camel case", "runningTotalTokens: globalTotalOutputTokens,"),
    ("hash of a commit", "commit " + lot(HEX, 40)),
    ("lock file", "integrity sha512-" + lot(BASE64, 86) + "=="),
    ("key of a row", "primary_key=True, key=lambda row: row.id, key='name'"),
    ("name of a secret", "secretName: my-tls-secret\nsecretKeyRef:\n  name: db-credentials"),
    ("path of a key", "ssl_key=/etc/ssl/private/server.key"),
    ("the word pass", "test_login PASSED\n12 passed; pass `--full-trace` to see more"),
    ("a question of passing", "PASS: 127.0.0.1:8000 -> 127.0.0.1:8000"),
    ("git address", "git@github.com:owner/name.git https://github.com/owner/name"),
    ("e-mail in a URL", "https://example.com/users/alice@example.com"),
    ("style sheet", ".sk-container-toggleable-content-wide { color: red }"),
    ("public key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 alice"),
    ("PEM of a certificate", "-----BEGIN CERTIFICATE-----\nMIIDdzCC\n-----END CERTIFICATE-----"),
    ("PEM header in code", 'if line.startswith("-----BEGIN PRIVATE KEY-----"):\n    return True'),
    ("uuid", "id: 123e4567-e89b-12d3-a456-426614174000"),
    ("a mark", "token=«redacted:github-token:2»"),
)

KNOWN_WRONG = (
    ("a password in prose without its word", f"log in as bob with {P}"),
    ("a word as password in prose", "the password is swordfish"),
    ("a secret cut by hand", 'a = "ghp_abc"; b = "def"; token = a + b'),
    ("a bare word handed to a function", "connect(host, user, hunter2)"),
)
"""Secrets that stay. Should one of these go, it belongs into a table above."""


@pytest.mark.parametrize(("rule", "secret"), PROVIDED, ids=[f"{r}-{i}" for i, (r, _) in enumerate(PROVIDED)])
@pytest.mark.parametrize(("place", "template"), PLACES, ids=[p for p, _ in PLACES])
def test_keys_of_providers_are_found_wherever_they_stand(rule: str, secret: str, place: str, template: str) -> None:
    if place in ("in JSON", "after an escaped line end"):
        secret = secret.replace("\n", "\\n")
    out = redact(template.replace("{s}", secret))
    assert secret not in out
    assert secret[8:-8] not in out
    assert "«redacted:" in out
    if place == "alone":
        assert out == f"«redacted:{rule}»"
    if place in ("in JSON", "after an escaped line end"):
        json.loads(out)


@pytest.mark.parametrize(("label", "template", "secret", "rule"), ASSIGNED, ids=[row[0] for row in ASSIGNED])
def test_assigned_values_are_found_and_nothing_else_changes(label: str, template: str, secret: str, rule: str) -> None:
    out = redact(template.replace("{s}", secret))
    assert secret not in out
    if label != ".env with signs":
        assert out == template.replace("{s}", f"«redacted:{rule}»")


@pytest.mark.parametrize(("label", "template", "secret", "rule"), STRUCTURED, ids=[row[0] for row in STRUCTURED])
def test_structured_secrets_are_found(label: str, template: str, secret: str, rule: str) -> None:
    secret = secret or "sessionid=" + T
    out = redact(template.replace("{s}", secret))
    assert secret not in out
    assert secret.rpartition("=")[2] not in out or secret.endswith("=")
    if rule:
        assert out == template.replace("{s}", f"«redacted:{rule}»")


@pytest.mark.parametrize(("label", "text"), UNCHANGED, ids=[row[0] for row in UNCHANGED])
def test_what_is_no_secret_stays_the_same_object(label: str, text: str) -> None:
    assert redact(text) is text


@pytest.mark.parametrize(("label", "text"), KNOWN_WRONG, ids=[row[0] for row in KNOWN_WRONG])
def test_known_wrong(label: str, text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("whole", f"a\n{PEM}\nb"),
        ("cut short", f"a\n{PEM[:300]}"),
        ("with a prefix on each line", "\n".join(f"#5 0.228 {line}" for line in PEM.splitlines())),
        ("as strings of a program", " +\n".join(f'"{line}\\n"' for line in PEM.splitlines())),
        ("in a diff", "\n".join(f"+{line}" for line in PEM.splitlines())),
        ("in JSON", json.dumps({"key": PEM})),
        ("in JSON in JSON", json.dumps({"a": json.dumps({"key": PEM})})),
        ("without its header", "data:\n   MIIEpAIBAAKCAQEA" + PEM_BODY.replace("\n", "\n   ")),
    ],
)
def test_private_keys(label: str, text: str) -> None:
    out = redact(text)
    lines = [line for line in PEM_BODY.splitlines() if line in text]
    assert lines
    assert not [line for line in lines if line in out]


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("Python", 'api_key = (\n    "{a}"\n    "{b}"\n)'),
        ("JavaScript", 'const apiKey = "{a}" +\n  "{b}";'),
        ("shell", 'TOKEN="{a}"\\\n"{b}"'),
        ("YAML", "api_token: |\n  {a}\n  {b}\nport: 1\n"),
        ("PuTTY", "Private-Lines: 1\n{a}{b}\nPrivate-MAC: 1\n"),
        ("OpenVPN", "-----BEGIN OpenVPN Static key V1-----\n{h}\n{h}\n-----END OpenVPN Static key V1-----"),
        ("Ansible Vault", "db: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  {h}\n  {h}\nport: 1\n"),
        ("coloured by grep", "token \x1b[01;31m\x1b[Kghp\x1b[m\x1b[K_{a}{b}"),
        ("coloured, in JSON", r'{{"out": "\u001b[31mghp\u001b[0m_{a}{b}"}}'),
    ],
)  # fmt: skip
def test_secrets_in_several_pieces(label: str, text: str) -> None:
    pieces = {"a": lot(BASE62, 24, 1), "b": lot(BASE62, 24, 2), "h": lot(HEX, 40)}
    out = redact(text.format(**pieces))
    assert not [piece for piece in pieces.values() if piece in out]
    assert redact(out) == out


def test_the_same_secret_has_the_same_mark_and_another_a_number() -> None:
    first, second = "ghp_" + lot(BASE62, 36, 1), "ghp_" + lot(BASE62, 36, 2)
    one, two = "«redacted:github-token»", "«redacted:github-token:2»"
    assert redact(f"{first} {second} {first}") == f"{one} {two} {one}"
    assert redact(f"{one} then {first}") == f"{one} then {two}"


def test_a_secret_that_was_announced_is_found_where_it_was_not() -> None:
    assert P not in redact(f"password: {P}\nand later {P} again")


def test_the_secret_beside_its_id() -> None:
    secret = lot(BASE64.replace("/", ""), 40)
    assert secret not in redact(f"AKIA{lot(UPPER, 16)}\n{secret}\n")


def test_what_was_found_is_counted_by_rule_and_never_shown() -> None:
    text, found = redacted(f"password={P}\ntoken: {T}\npassword={P}")
    assert found == {"password": 2, "token": 1}
    assert P not in text
    assert P not in str(found)


@pytest.mark.parametrize(
    ("label", "given", "expected"),
    [
        ("a telling key", {"password": "hunter2"}, {"password": "«redacted:password»"}),
        ("deep", {"a": [{"db_password": "hunter2"}]}, {"a": [{"db_password": "«redacted:password»"}]}),
        ("list under a key", {"tokens": [T]}, {"tokens": ["«redacted:token»"]}),
        ("number", {"password": 12345678}, {"password": "«redacted:password»"}),
        ("name and value", {"name": "API_KEY", "value": T}, {"name": "API_KEY", "value": "«redacted:key»"}),
        ("key that is a secret", {PROVIDED[0][1]: 1}, {"«redacted:aws-key-id»": 1}),
        ("web key", {"kty": "EC", "x": "AbC", "d": T}, {"kty": "EC", "x": "AbC", "d": "«redacted:jwk»"}),
        ("Secret of Kubernetes", SECRET_RECORD, {**SECRET_RECORD, "data": {"a": "«redacted:kubernetes-secret»"}}),
        ("nothing", {"b": None, "c": True, "token_count": 12345}, {"b": None, "c": True, "token_count": 12345}),
        ("placeholder", {"password": "${PASSWORD}"}, {"password": "${PASSWORD}"}),
    ],
)  # fmt: skip
def test_values(label: str, given: object, expected: object) -> None:
    assert redact_value(given) == expected


def test_a_number_in_json_becomes_a_string() -> None:
    assert json.loads(redact('{"password": 12345678, "n": 1}')) == {"password": "«redacted:password»", "n": 1}


def test_short_tokens_of_lower_case() -> None:
    assert redact(f"token={lot(LOWER, 20)}") == "token=«redacted:token»"
    assert JWT not in redact(f"token: {JWT}")
