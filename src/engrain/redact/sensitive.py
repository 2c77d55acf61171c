"""Files whose content is never stored, by their path alone.

A row is a pattern over the lower-cased path with `/` between its parts, and the reason that a person is told. A pattern
without a slash is matched with the last part; one with slashes with the end of the path. Samples that are made to be
read (`.env.example`, `.env.template`) are not sensitive: they are there to be shared, and redacted as all text is.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Sensitive(NamedTuple):
        """Paths that match one of `patterns` are sensitive because of `reason`."""

        reason: str
        patterns: tuple[str, ...]
else:
    Sensitive = namedtuple("Sensitive", "reason patterns")


def _row(reason: str, patterns: str) -> Sensitive:
    return Sensitive(reason, tuple(patterns.split()))


SENSITIVE = (
    _row(
        "environment file",
        """
        .env .env.* *.env .envrc .flaskenv .dev.vars .dev.vars.* env.sh .secrets secrets.env env.local env.dev
        env.development env.staging env.prod env.production local.settings.json
        """,
    ),
    _row(
        "private key",
        """
        id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_*_rsa *.pem *.key *.ppk *.pk8 *.p8 *.asc
        *.gpg *.pgp *.age *_rsa *_ed25519 *_ecdsa *.priv *private_key* *private-key* *privatekey* ssh_host_*_key
        identity.age keys.txt
        """,
    ),
    _row(
        "ssh folder",
        """
        .ssh/* .ssh/*/*
        """,
    ),
    _row(
        "keystore or certificate with its key",
        """
        *.p12 *.pfx *.jks *.jceks *.bks *.bcfks *.keystore *.keychain *.keychain-db *.pkcs12 *.snk *.cer.key
        *.ovpn *.mobileprovision *.p7k truststore.* *.kdb
        """,
    ),
    _row(
        "password store",
        """
        *.kdbx *.kdb *.psafe3 *.agilekeychain/** *.opvault/** .password-store/** *.1pif *.enpassdb keyring
        keyrings/* .gnome2/keyrings/* logins.json key3.db key4.db signons.sqlite passwords.csv passwords.txt
        *bitwarden*.json *lastpass*.csv *1password*.csv
        """,
    ),
    _row(
        "browser data",
        """
        cookies.sqlite cookies login?data web?data google-chrome/**/* .mozilla/firefox/**/cookies* local?state
        """,
    ),
    _row(
        "cloud credentials",
        """
        .aws/credentials .aws/config .aws/sso/** .aws/cli/cache/** .azure/** .config/gcloud/** gcloud/**
        application_default_credentials.json *service_account*.json *service-account*.json *serviceaccount*.json
        gcp-key*.json google-credentials*.json client_secret*.json firebase-adminsdk*.json
        *-firebase-adminsdk-*.json firebase-key*.json google-services.json googleservice-info.plist
        .oci/config .oci/*.pem .aliyun/config.json .tencentcloud/**
        .config/doctl/config.yaml .config/hcloud/cli.toml .config/scw/config.yaml .linode-cli .config/linode-cli
        .bluemix/** .softlayer .s3cfg .boto .passwd-s3fs .rclone.conf rclone.conf accesstokens.json
        azureprofile.json msal_token_cache.*
        """,
    ),
    _row(
        "Kubernetes credentials",
        """
        .kube/config .kube/** kubeconfig kubeconfig.* *.kubeconfig *-kubeconfig *-kubeconfig.yaml admin.conf
        kubelet.conf
        """,
    ),
    _row(
        "secrets of a deployment",
        """
        secrets.yml secrets.yaml secrets.json secrets.toml secrets.tfvars secret.yml secret.yaml secret.json
        secret.toml *.secret *.secrets *-secret.yaml *-secrets.yaml *-secret.yml *-secrets.yml *.secret.yaml
        *.secrets.yaml *.enc.yaml *.sops.yaml secrets/* .secrets/* run/secrets/* master.key credentials.yml.enc
        config/credentials/*.key secrets.ini vault.yml vault.yaml *vault_pass* .vault_pass* .vault-pass*
        .vault-token .vault-token.* vault-password*
        """,
    ),
    _row(
        "Terraform state or variables",
        """
        *.tfstate *.tfstate.* terraform.tfvars *.tfvars *.tfvars.json *.auto.tfvars .terraformrc terraform.rc
        .terraform.d/credentials.tfrc.json .pulumi/credentials.json pulumi.*.yaml
        """,
    ),
    _row(
        "package registry login",
        """
        .npmrc .yarnrc .yarnrc.yml .pypirc pip.conf pip.ini .gem/credentials .bundle/config .cargo/credentials
        .cargo/credentials.toml auth.json .composer/auth.json .config/composer/auth.json nuget.config
        settings-security.xml .m2/settings.xml gradle.properties .gradle/gradle.properties .hex/hex.config
        .config/pypoetry/auth.toml .condarc .docker/config.json .dockercfg .dockerconfigjson containers/auth.json
        .config/helm/registry/config.json .helm/repository/repositories.yaml
        """,
    ),
    _row(
        "login of a tool",
        """
        .netrc _netrc .git-credentials .gitcookies .config/git/credentials .config/gh/hosts.yml .config/hub
        .config/glab-cli/config.yml .hgrc .svn/auth/** .subversion/auth/** .wgetrc .curlrc _curlrc .pgpass
        pgpass.conf .pg_service.conf .my.cnf .mylogin.cnf .mysql_history .psql_history .mongorc.js .mongoshrc.js
        .rediscli_auth .rediscli_history .dbshell .cfg/sqlplus .snowsql/config .snowflake/** .databrickscfg
        .dbt/profiles.yml .kaggle/kaggle.json kaggle.json .huggingface/token huggingface/token
        .cache/huggingface/token .jupyter/jupyter_server_config.json .ngrok2/ngrok.yml ngrok.yml .fly/config.yml
        .netlify/config.json .vercel/** .config/heroku/** .heroku/** .circleci/cli.yml .travis/config.yml
        .sentryclirc .snyk .config/configstore/*.json .config/stripe/config.toml .supabase/access-token
        .railway/config.json .wrangler/config/default.toml .config/.wrangler/config/default.toml .expo/state.json
        .claude.json .claude/.credentials.json .codex/auth.json .config/openai/** .anthropic/**
        .config/github-copilot/** .config/op/** .op/** .doppler/.doppler.yaml .config/sops/age/keys.txt
        .config/rclone/rclone.conf filezilla.xml sitemanager.xml recentservers.xml winscp.ini *.rdp .remmina/*
        .s3curl .smbcredentials .cifs .vnc/passwd .htpasswd htpasswd .esmtprc .msmtprc .muttrc .fetchmailrc
        .mbsyncrc .offlineimaprc .irssi/config .weechat/sec.conf .pastebinit.xml
        """,
    ),
    _row(
        "credentials file",
        """
        credentials credentials.* *credentials.json *credentials.yaml *credentials.yml *credentials.csv
        *.credentials credential.* *_credentials *accesskeys.csv *_accesskeys.csv rootkey.csv password.txt
        password passwd.txt secret.txt secrets.txt token.txt tokens.txt token.json tokens.json apikey.txt
        api_key.txt api-key.txt *.token .token .tokens .apikey .api_key
        """,
    ),
    _row(
        "accounts of the system",
        """
        etc/shadow etc/shadow- etc/gshadow etc/master.passwd etc/sudoers etc/security/opasswd etc/ppp/chap-secrets
        etc/ppp/pap-secrets etc/ipsec.secrets etc/wpa_supplicant/*.conf wpa_supplicant.conf
        etc/networkmanager/system-connections/* etc/krb5.keytab *.keytab krb5cc_* ntds.dit sam proc/*/environ
        """,
    ),
    _row(
        "history of a shell",
        """
        .bash_history .zsh_history .sh_history .history .python_history .node_repl_history .irb_history
        .fish_history fish_history consolehost_history.txt .lesshst .viminfo
        """,
    ),
    _row(
        "wallet",
        """
        wallet.dat wallet.json *.wallet keystore/utc--* utc--* .electrum/** .bitcoin/wallets/**
        .config/solana/id.json id.json seed.txt mnemonic.txt mnemonic
        """,
    ),
    _row(
        "gpg folder",
        """
        .gnupg/** secring.* pubring.kbx trustdb.gpg
        """,
    ),
)

SAMPLES = (
    ".example",
    ".sample",
    ".template",
    ".dist",
    ".tmpl",
    ".tpl",
    ".schema",
    ".defaults",
    "-example",
    "-sample",
    ".test.js",
    ".d.ts",
)
_PUBLIC = (
    "*.pub",
    "*.pub.pem",
    "*public*.pem",
    "*public*.key",
    "cacert.pem",
    "ca-bundle*",
    "ca-certificates*",
    "*.crt.pem",
    "cert.pem",
    "fullchain.pem",
    "chain.pem",
    "*.asc.sig",
    "known_hosts",
    "known_hosts.old",
    "authorized_keys",
    "*.key.ts",
    "*.key.py",
)
_SOURCES = (
    *(".py", ".pyi", ".js", ".jsx", ".mjs", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".rb", ".php", ".c", ".h"),
    *(".cc", ".cpp", ".hpp", ".cs", ".swift", ".scala", ".md", ".rst", ".html", ".css", ".vue", ".svelte", ".sql"),
)
"""Programs and their documentation speak of credentials in their names, too; of these only whole names are listed."""

_tables: list[tuple[dict[str, str], list[tuple[str, str]], list[tuple[str, str]]]] = []


_told: dict[str, str] = {}
"""Verdicts of this process: the words of commands, and the files that an agent works on, come again and again."""
_MOST_TOLD, _LONGEST_TOLD, _SOME = 20_000, 400, 32


def sensitive(path: str) -> str:
    """Why the content of this file is never stored; nothing if it may be."""
    reason = _told.get(path)
    if reason is None:
        if len(_told) >= _MOST_TOLD:
            _told.clear()
        reason = _verdict(path)
        if len(path) <= _LONGEST_TOLD:
            _told[path] = reason
    return reason


def _verdict(path: str) -> str:
    parts = path.strip().replace("\\", "/").lower().rstrip("/")
    if not parts:
        return ""
    name = parts.rsplit("/", 1)[-1]
    signs = any(sign in name for sign in "*?[{")
    plain = len(_told) >= _SOME and _harmless(name, parts)
    if plain and not signs:
        return ""
    if _sample(name) or any(_like(name, pattern) for pattern in _PUBLIC):
        return ""
    exact, by_name, by_path = _table()
    if name in exact:
        return exact[name]
    if not plain and not name.endswith(_SOURCES):
        for pattern, reason in by_name:
            if _like(name, pattern):
                return reason
    slashed = "/" + parts
    for pattern, reason in () if plain else by_path:
        if _like_path(slashed, pattern):
            return reason
    return _by_wildcard(name, exact) if signs else ""


def _harmless(name: str, parts: str) -> bool:
    """No row can match it as it stands: seen at once, by an expression that only who asks often needs."""
    exact, by_name, by_path = _table()
    if name in exact:
        return False
    if not _pieces:
        rows = [pattern for pattern, _ in (*by_name, *by_path)]
        _pieces.append("|".join(sorted({_escaped(_longest_piece(pattern)) for pattern in rows})))
    return compiled(_pieces[0]).search("/" + parts) is None


_pieces: list[str] = []


def _longest_piece(pattern: str) -> str:
    """The longest part of a pattern that stands in whatever matches it."""
    return max(pattern.split("/**", 1)[0].replace("*", "/").replace("?", "/").split("/"), key=len)


def _escaped(piece: str) -> str:
    return "".join(char if char.isalnum() else f"\\{char}" for char in piece)


def _by_wildcard(name: str, exact: dict[str, str]) -> str:
    """The reason of a file that a shell would put for this word (`.env*`, `.e??`, `{.env,x}`)."""
    braces = compiled(r"([^{}]{0,200})\{([^{}]{0,1000})\}(.{0,200})").match(name)
    words = [f"{braces[1]}{one}{braces[3]}" for one in braces[2].split(",")] if braces else [name]
    for word in words:
        pattern = compiled(r"\[[^\]]{1,64}\]").sub("?", word)
        if pattern[:1] == "*" or sum(char not in "*?" for char in pattern) < 2:
            continue
        for known, reason in exact.items():
            if _like(known, pattern):
                return reason
    return ""


def _sample(name: str) -> bool:
    return name.endswith(SAMPLES) or any(f"{sample}." in name for sample in (".example", ".sample", ".template"))


def _table() -> tuple[dict[str, str], list[tuple[str, str]], list[tuple[str, str]]]:
    """Plain names, names with wildcards, paths: made once a process, when the first path is asked for."""
    if not _tables:
        exact: dict[str, str] = {}
        by_name: list[tuple[str, str]] = []
        by_path: list[tuple[str, str]] = []
        for row in SENSITIVE:
            for pattern in row.patterns:
                if "/" in pattern:
                    by_path.append((pattern, row.reason))
                elif "*" in pattern or "?" in pattern:
                    by_name.append((pattern, row.reason))
                else:
                    exact.setdefault(pattern, row.reason)
        _tables.append((exact, by_name, by_path))
    return _tables[0]


def _like(name: str, pattern: str) -> bool:
    """Matches with `*` and `?`, without an expression to compile: the hook asks this of every row."""
    pieces = pattern.split("*")
    if len(pieces) == 1:
        return _same(name, pattern)
    head, tail = pieces[0], pieces[-1]
    if len(name) < len(head) + len(tail) or not _same(name[: len(head)], head):
        return False
    if tail and not _same(name[-len(tail) :], tail):
        return False
    at = len(head)
    for piece in pieces[1:-1]:
        found = name.find(piece, at, len(name) - len(tail))
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _same(name: str, pattern: str) -> bool:
    return name == pattern or (
        "?" in pattern and len(name) == len(pattern) and all(p in ("?", n) for n, p in zip(name, pattern, strict=True))
    )


def _like_path(path: str, pattern: str) -> bool:
    """The pattern matches the end of the path; `**` is any number of parts."""
    if "**" in pattern:
        head = pattern.split("/**", 1)[0]
        if "*" not in head:
            return f"/{head}/" in path
        return any(_like(part, head) for part in path.split("/")[:-1])
    wanted = pattern.split("/")
    parts = path.split("/")[-len(wanted) :]
    return len(parts) == len(wanted) and all(_like(part, want) for part, want in zip(parts, wanted, strict=True))
