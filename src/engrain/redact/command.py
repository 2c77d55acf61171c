"""Secrets in commands and queries that no name announces: `curl -u user:secret`, `mysql -psecret`, `IDENTIFIED BY`."""

from __future__ import annotations

from engrain.redact.likely import nothing, path, random, stands_out
from engrain.redact.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match


def _given(match: Match[str]) -> bool:
    value = match[match.lastindex or 0]
    return len(value) > 2 and not nothing(value) and not value.isspace()


def _drawn(match: Match[str]) -> bool:
    """`wandb login 5f3…`: what no sentence says."""
    value = match[1].rstrip(".,:)")
    return (random(value, 20) and not nothing(value) and not path(value)) or (
        match[0][:3] in ("set", "com") and stands_out(value)
    )


def _identified(match: Match[str]) -> bool:
    """`IDENTIFIED BY` of a query; a sentence says `identified by`, too."""
    value = match[1].strip(",.)")
    if nothing(value) or value.lower() in ("random", "values", "by", "externally", "globally"):
        return False
    return match[0][0] == "I" or match.string[match.start(1) - 1] in "\"'" or stands_out(value)


def _not_a_file(match: Match[str]) -> bool:
    return _given(match) and not path(match[match.lastindex or 0])


def _first_word(match: Match[str]) -> bool:
    """`mysql -psecret`, not `mysql -p database`, which asks for the password, nor a port."""
    joined = match.string[match.start(1) - 1] in "pP\"'" or "sshpass" in match[0]
    return joined and _given(match) and not match[1].isdigit()


def _pair(match: Match[str]) -> bool:
    """`user:secret`: not `test:test`, nor a pair of variables."""
    user, _, secret = match[1].partition(":")
    bare = secret.strip("\"'{}")
    if not bare:
        return len(user) >= 6 and not nothing(user) and any(not c.isalpha() for c in user)
    return not nothing(bare) and bare != user and bare.lower() not in ("token", "password", "api_token", "key")


_Q = r"(?:\\{0,3}[\"'])?"
_VALUE = rf"{_Q}([^\s\"'`\\<>«»;|&]{{3,256}})"

_SETS = r"(?:configure\s+set|config\s+set|(?:poetry|composer)\s+config|setx)(?:\s{1,4}--?[\w-]{1,30}){0,4}"

_ARGS = r"\b(?:[^\n|;\\]|\\[^|;]){0,240}?\s"

COMMANDS = (
    Rule(
        "command-password",
        (" -u", "-user", " -a "),
        rf"(?:curl|wget|httpie|https?|xh){_ARGS}(?:-u|--user|--proxy-user|-U|-a|--auth)[="
        rf" ]?\s?(?:\\{{0,3}}[\"'])?(?=[^\s:]{{0,100}}:)([^\s\"'`\\<>«»$|&]{{0,100}}:?[\"']?:?"
        rf"(?:\\{{0,3}}[\"'])?[^\s\"'`\\<>«»|&]{{0,200}})",
        "password of curl -u",
        _pair,
        300,
        False,
        ("curl", "wget", "http ", "https ", "httpie", "xh "),
    ),
    Rule(
        "command-password",
        (" -u", "-user"),
        r"(?: -u|-user)\s(?:\\{0,3}[\"'])?([A-Za-z0-9_.@-]{1,60}:(?:\\{0,3}[\"'])?[^\s\"'`\\<>«»"
        r"|&:/]{4,200})(?![:/])",
        "password of -u user:password",
        lambda m: _pair(m) and not m[1].rpartition(":")[2].isdigit(),
        0,
        False,
    ),
    Rule(
        "command-password",
        (" -p",),
        rf"(?:sshpass|(?:mysql|mariadb)(?:dump|admin|import|show|check)?){_ARGS}-[pP](?!"
        rf"\w{{0,8}}:)\s{{0,2}}{_VALUE}",
        "password of sshpass, mysql -p",
        _first_word,
        256,
        False,
        ("sshpass", "mysql", "mariadb"),
    ),
    Rule(
        "command-password",
        (" -p",),
        rf"login{_ARGS}-p[ =]{{1,2}}{_VALUE}",
        "password of a login command",
        _given,
        256,
        False,
        ("login",),
    ),
    Rule(
        "command-password",
        (" -p",),
        rf"(?:(?:zip|7z|rar){_ARGS}-[pP]\s?|(?:plink|pscp|ssh|sftp|scp){_ARGS}-(?:P|pw)\s{{1,2}}"
        rf"(?!\d+\s)|(?:sqlcmd|bcp|isql){_ARGS}-P\s{{0,2}}){_VALUE}",
        "password of zip, plink, sqlcmd",
        _not_a_file,
        256,
        False,
        ("zip ", "7z ", "rar ", "plink", "pscp", "sftp", "scp", "ssh ", "sqlcmd", "bcp ", "isql"),
    ),
    Rule(
        "command-password",
        (" -p",),
        rf"(?:twine|mongo\w{{0,10}}){_ARGS}-p[ =]{{1,2}}(?!-){_VALUE}",
        "password of twine, mongo",
        _given,
        256,
        False,
        ("twine", "mongo"),
    ),
    Rule(
        "command-password",
        (" -k ", " -n "),
        rf"(?:openssl\s{{1,4}}enc{_ARGS}-k|ssh-keygen{_ARGS}-N)\s{{1,4}}{_VALUE}",
        "passphrase of openssl, ssh-keygen",
        _given,
        256,
        False,
        ("openssl", "ssh-keygen"),
    ),
    Rule(
        "command-password",
        ("configure set", "config set", "poetry config", "composer config", "user-secrets set", "setx "),
        rf"(?i)(?:{_SETS}\s{{1,4}}[\"']?[^\s\"']{{0,120}}(?:secret|token|passw|_auth|api.?key|access_key)[^\s\"'=]{{0,60}}"
        rf"[\"']?|user-secrets\s{{1,4}}set\s{{1,4}}(?:\"[^\"\n]{{1,100}}\"|\S{{1,100}})|{_SETS}\s{{1,4}}http-basic\.\S{{1,100}}"
        rf"\s{{1,4}}\S{{1,100}})\s{{1,4}}{_VALUE}",
        "value of a setting that is a secret by its name",
        _given,
    ),
    Rule(
        "command-password",
        (" --body", " -b ", " <<<"),
        rf"(?i)secret\s(?:set|put)\s{{1,4}}[^\n|;]{{0,120}}?\s(?:(?:--body|-b)[ =]|<<<)\s?{_VALUE}",
        "value of a secret that is being set",
        _given,
        160,
        False,
        ("secret set", "secret put"),
    ),
    Rule(
        "command-password",
        ("vault login", "cargo login", "bw unlock"),
        rf"(?:(?:vault|cargo) login|bw unlock)\s{{1,4}}(?:-\S{{1,100}}\s{{1,4}}){{0,4}}(?!-|\S{{0,100}}=){_VALUE}",
        "token that is logged in with",
        _given,
    ),
    Rule(
        "command-password",
        (" -a ",),
        rf"redis-cli{_ARGS}-a\s{_VALUE}",
        "password of redis-cli",
        _given,
        256,
        False,
        ("redis-cli",),
    ),
    Rule(
        "command-password",
        (" -w ",),
        rf"ldap(?:search|modify|add|delete|passwd|whoami){_ARGS}-w\s{{0,2}}{_VALUE}",
        "password of ldapsearch",
        _given,
        256,
        False,
        ("ldap",),
    ),
    Rule(
        "command-password",
        ("auth", "login ", "token", "setcookie ", "community "),
        rf"(?:(?:auth|login|authtoken|token)\s{{1,4}}(?=[\"']?\S{{18}})|(?:setcookie|community)\s{{1,4}}){_VALUE}",
        "token that a command is given",
        _drawn,
        0,
        False,
    ),
    Rule(
        "command-password",
        ("set -", "setenv "),
        rf"(?i)(?:set\s-[a-z]{{1,4}}|setenv)\s{{1,4}}\w{{0,60}}(?:token|secret|passw\w{{0,10}}|_key|apikey)\s{{1,4}}{_VALUE}",
        "secret that fish or csh sets",
        _given,
    ),
    Rule(
        "command-password",
        ("securestring",),
        rf"(?i)securestring\s[^\n]{{0,120}}?--value[ =]{_VALUE}",
        "value of a secure parameter",
        _given,
        0,
        False,
    ),
    Rule(
        "command-password",
        ("sqlplus ",),
        r"sqlplus\s{1,4}(?:-\w{1,4}\s){0,3}[\"']?[\w$#]{1,64}/([^\s@/\"'`«»|;]{3,128})",
        "password of sqlplus",
        _given,
    ),
    Rule(
        "command-password",
        ("lftp ", "ncftp"),
        r"n?c?l?ftp\w{0,4}\s[^\n|;]{0,80}?-u\s[\"']?[\w.@-]{1,60},([^\s\"'`\\«»;|&]{3,128})",
        "password of lftp",
        _given,
    ),
    Rule(
        "command-password",
        ("pass",),
        r"(?i)pass(?:word|phrase|code)?[^\n]{0,40}[\r\n \t]{1,20}(?:exp_)?send(?:_user)? [^\n]{0,20}?"
        r"\"([^\"\\\n«»$]{4,128})\\[rn]\"",
        "password that expect sends",
        _given,
        0,
        False,
    ),
    Rule(
        "command-password",
        ("define(",),
        r"define\(\s?[\"'](?:(?:SECURE_|LOGGED_IN_|NONCE_)?(?:AUTH_)?)(?:KEY|SALT)[\"']\s?,\s{0,16}'([^'\n«»]{32,128})'",
        "key or salt of WordPress",
        None,
    ),
    Rule(
        "command-password",
        ("smbclient", "rpcclient", "cifs"),
        r"(?:smbclient|rpcclient|cifs)\b[^\n|;]{0,200}?[ ,]-?-?(?:U|user|username)[= ]?["
        r"\w.\\/-]{1,60}%([^\s\"'`\\<>«»,]{3,200})",
        "password of smbclient",
        _given,
    ),
    Rule(
        "command-password",
        ("pass",),
        r"(?<=-)pass(?:in|out)?\s{1,4}[\"']?pass:([^\s\"'`\\<>«»]{3,256})"
        r"|(?<=ht)passwd\s{1,4}(?:-[a-zA-Z]{1,4}\s{1,4}){1,4}(?:[^\s\"']{1,100}\s{1,4}){1,2}"
        rf"{_VALUE}",
        "password of openssl, htpasswd",
        _not_a_file,
        0,
        False,
    ),
    Rule(
        "command-password",
        ("pass", "stdin", "sudo -s", "secret"),
        r"echo\s{1,4}(?:-[ne]\s)?[\"']?(?:[\w.-]{1,40}:)?([^\s\"'`\\<>«»|]{3,200})[\"']?"
        r"\s{0,4}\|[^\n|]{0,80}?(?:chpasswd|passw(?:or)?d-?-?stdin|--stdin|sudo\s{1,4}-S|secrets? (?:put|set))",
        "password given on standard input",
        _given,
        320,
        False,
        ("echo ",),
    ),
    Rule(
        "command-password",
        ("securestring",),
        r"(?i)SecureString\s{1,4}(?:-String\s{1,4})?[\"']([^\"'\n«»]{3,256})[\"']",
        "password of ConvertTo-SecureString",
        _given,
        0,
        False,
    ),
    Rule(
        "command-password",
        ("cred",),
        r"(?i)cred(?:ential)?s?\s?\(\s?[^,()\n]{1,80},\s?[\"']([^\"'\n«»]{3,256})[\"']",
        "password of a credential object",
        _given,
        0,
        False,
    ),
    Rule(
        "command-password",
        ("machine ",),
        r"(?i)machine\s{1,4}\S{1,200}\s{1,8}login\s{1,4}\S{1,200}\s{1,8}password\s{1,4}("
        r"[^\s\"'«»]{3,256})",
        "password of a netrc line",
        _given,
        0,
        False,
    ),
    Rule(
        "sql-password",
        ("identified",),
        r"(?i)identified\s{1,4}(?:(?:with|via)\s{1,4}[\"']?\w{1,60}[\"']?\s{1,4})?(?:by|as"
        r"|using)\s{1,4}(?:password\s{0,4}\(?\s?|values\s{1,4})?(?:\\{0,3}[\"'`])?([^\s\""
        r"'`\\«»;]{1,256})",
        "password in SQL",
        _identified,
    ),
    Rule(
        "sql-password",
        ("pass",),
        r"(?i)(?:create|alter)\s{1,4}(?:user|role|login)\b[^\n;]{0,200}?\bpassword\s{1,4}"
        r"(?:=\s{0,4})?N?\\{0,3}[\"']?([^\s\"'\\«»;]{1,256})",
        "password in SQL",
        _given,
        240,
        False,
        ("create", "alter"),
    ),
    Rule(
        "sql-password",
        ("sp_addlogin", "pass"),
        r"(?i)(?<![a-z_])password(?:\s{0,4}\(\s?\\{0,3}[\"']([^\"'\\\n«»]{1,256})\\{0,3}[\"']\s?\)"
        r"|\s{1,4}for\s{1,4}[^\n=;]{1,120}=\s{0,4}(?:password\s?\(\s?)?\\{0,3}[\"']([^\"'\\\n«»]{1,256}))"
        r"|(?:sp_addlogin|(?<=sp_)password)\s{1,4}N?[\"'][^\"'\n]{1,80}[\"']\s?,\s?N?[\"']([^\"'\\\n«»]{1,256})"
        r"|(?<=by)passphrase\s?\(\s?N?[\"']([^\"'\\\n«»]{1,256})",
        "password in SQL",
        _given,
        0,
        False,
    ),
)
