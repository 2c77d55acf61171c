"""Commands whose answer is made of secrets though they name no sensitive file: `env`, `gh auth token`, `echo $API_KEY`.

A row of TELLING is a program and words that follow it in this order, whatever stands between them (`kubectl -n shop get
secret`); `a,b` is either word, `a*` any that begins so. Shells within are read as well (`bash -lc "env"`, `$(…)`), and
what runs in something else (`docker exec web env`). In doubt a command tells.
"""

from __future__ import annotations

from engrain.patterns import compiled
from engrain.redact.names import LIKELY, judged
from engrain.redact.rule import vocabulary
from engrain.redact.shell import PREFIXES, SEARCH, simple_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ENVIRONMENT, _SECRET = "prints the environment", "prints a secret"

_AWS = """
aws configure get,export-credentials
aws secretsmanager get-secret-value,batch-get-secret-value,get-random-password
aws ssm get-parameter,get-parameters,get-parameters-by-path,get-parameter-history --with-decryption
aws sts get-session-token,assume-role*,get-federation-token
aws ecr,ecr-public get-login*,get-authorization-token
aws sso get-role-credentials
aws sso-oidc create-token
aws iam create-access-key,create-service-specific-credential
aws lambda get-function,get-function-configuration,list-functions
aws codeartifact get-authorization-token
aws ecs describe-task-definition
aws eks get-token
aws rds generate-db-auth-token
aws cognito-idp describe-user-pool-client
aws-vault exec,export
"""
_CLOUDS = """
gcloud auth print-*
gcloud secrets versions access
gcloud functions,run describe
gcloud sql generate-login-token
gcloud config-helper
az account get-access-token
az keyvault secret show,download
az keys list
az list-keys
az ad sp create-for-rbac
az ad credential reset
az appsettings,connection-string list
az credential show
az storage show-connection-string,generate-sas
az acr login --expose-token
ibmcloud iam oauth-tokens,api-key-create
oci iam auth-token
doctl auth token
doctl registry docker-config
doctl databases connection
heroku config*
heroku auth:token,authorizations*
heroku pg:credentials*
vercel env pull
netlify env:list,env:get,env:export
fly,flyctl auth,tokens token,create
railway variables
render env
supabase status
supabase projects api-keys
stripe config --list
firebase functions:config:get
firebase login:ci
wrangler auth token
convex env list,get
amplify env get
eas env:list,env:get,env:pull
"""
_VAULTS = """
op read,inject
op item,document,user get
vault kv get
vault read,token,login,unwrap
vault print token
bao kv get
bao read,token,login
doppler secrets
doppler configs tokens
infisical secrets,export,token
chamber export,read,env
teller show,env,export
sops -d,--decrypt,decrypt,edit
age -d,--decrypt
gpg,gpg2 -d,--decrypt,--export-secret*
ansible-vault view,decrypt,edit
pass,gopass show
pass,gopass -c
bw,bws get,list,unlock,export,secret
lpass show,export
keepassxc-cli show,export,clip
security find-generic-password,find-internet-password,dump-keychain,export
secret-tool lookup,search
keyring get
cmdkey /list
dotenv,dotenvx list,get
direnv export
credstash get
berglas access
"""
_CODE = """
git credential fill
git credential-* get
gh auth token
gh auth status --show-token,-t
glab auth status --show-token,-t
glab auth token
hub api
npm,pnpm,yarn token
npm,pnpm,yarn config get *auth*
npm,pnpm,yarn config get *token*
npm run env
terraform,tofu,terragrunt output,show
terraform,tofu,terragrunt state show,pull
pulumi config get,--show-secrets
pulumi stack output,export --show-secrets
rails,rake credentials:*,secrets:*,encrypted:*,secret
artisan config:show,env:decrypt
artisan key:generate --show
php -i
diffsettings
console debug:container --env-vars
openssl genrsa,genpkey,rand
ssh-keygen -y
wg genkey,genpsk,showconf
wg show private-key,preshared-keys,dump
htpasswd -n*
pwgen
mkpasswd
auth secret
"""
_HOUSES = """
kubectl,oc,k,kubecolor,k3s get secret*
kubectl,oc,k,kubecolor config view --raw
kubectl,oc,k,kubecolor create token
oc whoami -t,--show-token
oc extract secret*
helm get values,all,manifest
kubeadm token create,list
argocd generate-token,initial-password
docker,podman,nerdctl swarm join-token
docker,podman,nerdctl,docker-compose compose config,convert
docker-compose config,convert
k3d kubeconfig
kind get kubeconfig
minikube kubectl get secret*
consul kv get,export
consul acl
nomad var get
nomad acl
etcdctl get
redis-cli config get requirepass
redis-cli acl list
rabbitmqctl export_definitions
tmux show-environment,showenv
systemctl show-environment
systemctl show Environment
systemctl show -p Environment*
systemctl show --property=Environment*
launchctl getenv,print-env,export
tailscale debug prefs
"""

_LISTS = vocabulary("ls dir gci gi get-childitem get-item")
_SHELLS = vocabulary(
    "bash sh zsh dash ksh fish su ssh watch eval powershell pwsh cmd xargs timeout nix-shell wsl parallel"
)
_SPEAKERS = vocabulary("git gh glab")
_WITHIN = vocabulary("exec run -- ssh npx pnpx bunx dlx wsl cmd timeout vagrant chroot nsenter unshare firejail")
_SAID = vocabulary("echo printf print write-host write-output printenv")
_INLINE = vocabulary("-c -e -p -pe -ne -r -command -lc --eval --print --execute")
_VALUED = vocabulary("-u --unset -C --chdir -g -h -p -U -n")

_ASSIGNS = r"[A-Za-z_]\w{0,80}\+?="
_NAMED = r"\$\{?!?(?:[eE][nN][vV]:)?([A-Za-z_]\w{0,80})|%([A-Za-z_]\w{0,80})%"
_WHOLE = (
    r"os\.environb?(?!\s*\[[^\]\n]{0,80}\]\s*=[^=]|\.(?:setdefault|update|pop|get|keys)\b|\s*\[)|process\.env(?![.\w\[])"
    r"|(?:\b(?:p|puts|print|pp|inspect|dump|to_h|each)\b[^;\n]{0,40})\bENV\b(?!\s*\[)|%ENV|\$_ENV|\bphpinfo|getenv\(\s*\)"
)
_ONE = (
    r"(?:os\.environ|ENV|_ENV)\s*(?:\.get\(|\[|\.fetch\(?)\s*[\"']?([A-Za-z_]\w{0,80})|getenv\(?\s*[\"']([A-Za-z_]\w{0,80})"
    r"|(?:process\.env|settings|config|conf|secrets|env)\.(\w{1,80})"
)
_OUT = r"print|console|puts|echo|log|\bp\b|dump|write|inspect|-p\b"
_MANY = 400
_DEEPEST = 3


def telling(command: str, depth: int = 0) -> str:
    """Why the answer of this command is made of secrets; nothing if it is not."""
    for program, given, _ in simple_commands(command[:65_536]):
        words = [word for _, word in given][:_MANY]
        reason = _environment(words) or _rows(program, words) or _said(program, words)
        if reason:
            return reason
        for before, word in given[:_MANY] if depth < _DEEPEST else ():
            within = program in _SHELLS or before in _INLINE or "$(" in word or "`" in word
            if within and word != command and (reason := telling(_opened(word), depth + 1)):
                return reason
    return ""


def _opened(word: str) -> str:
    """`"$(gh auth token)"` is read as what it runs."""
    return word.replace("$(", ";(").replace("`", ";") if "$(" in word or "`" in word else word


def _environment(words: list[str]) -> str:
    """`env`, `printenv`, `set`, `export -p`, here or in something that runs them."""
    low = [word.lower() for word in words]
    runs = not _WITHIN.isdisjoint(low) and low[0] not in _SPEAKERS
    for at, word in enumerate(low):
        name = word.rpartition("/")[2]
        within = runs and name in ("env", "printenv")
        if name in _ALONE and (within or _leads(words[:at])) and _ALONE[name](words[at + 1 :]):
            return _ENVIRONMENT
    if low and low[0] in _LISTS and any(word.startswith("env:") for word in low):
        return _ENVIRONMENT
    return ""


def _leads(words: list[str]) -> bool:
    """Nothing but what may stand before a command: `sudo -u app`, `A=b`, `then`."""
    before = ""
    for word in words:
        if not (word in PREFIXES or word[:1] == "-" or before in _VALUED or compiled(_ASSIGNS).match(word)):
            return False
        before = word
    return True


def _nothing_runs(words: list[str]) -> bool:
    """`env -u A B=c` runs nothing, so it prints."""
    return _leads(words)


def _options(words: list[str]) -> bool:
    return all(word[:1] == "-" and not {"f", "F"} & set(word) for word in words)


_ALONE: dict[str, Callable[[list[str]], bool]] = {
    "env": _nothing_runs,
    "printenv": lambda _: True,
    "set": lambda words: not words,
    "export": lambda words: all(word == "-p" for word in words),
    "declare": _options,
    "typeset": _options,
    "compgen": lambda words: any(word in ("-e", "-v") for word in words),
    "ps": lambda words: bool(words) and words[0].isalpha() and "e" in words[0],
}


def _rows(program: str, words: list[str]) -> str:
    """Whether a row of TELLING fits, from whatever word on."""
    if program in SEARCH:
        return ""
    words = words[:4] if program in _SPEAKERS else words
    for at, word in enumerate(words):
        name = word.rpartition("/")[2]
        rest = words[at + 1 :]
        if any(_follow(row, rest) for row in _table().get(name, ())) or _inspects(name, rest):
            return _SECRET
    return ""


def _follow(row: list[tuple[str, ...]], words: list[str]) -> bool:
    """The words of the row stand there in this order."""
    at = 0
    for ways in row:
        while at < len(words) and not any(_like(words[at], way) for way in ways):
            at += 1
        if at == len(words):
            return False
        at += 1
    return True


def _like(word: str, way: str) -> bool:
    if way[:1] == "*":
        return way.strip("*") in word
    return word.startswith(way[:-1]) if way[-1:] == "*" else word == way


def _inspects(name: str, words: list[str]) -> bool:
    """`docker inspect` shows the environment, unless it is asked for something else."""
    if name not in ("docker", "podman", "nerdctl") or "inspect" not in words:
        return False
    told = " ".join(words)
    return not compiled(r"(?:^|\s)(?:-f|--format)\b").search(told) or bool(
        compiled(r"Env|\.Config\s*\}|json \.\s*\}").search(told)
    )


def _said(program: str, words: list[str]) -> str:
    """A variable with a telling name is said, or a line of a language prints the environment."""
    if program in _SAID or (words and words[0].lower().startswith("$env:")):
        found = (match[1] or match[2] for word in words for match in compiled(_NAMED).finditer(word))
        return _SECRET if any(judged(name)[1] >= LIKELY for name in found) else ""
    if _INLINE.isdisjoint(word.lower() for word in words) or program in _SPEAKERS:
        return ""
    line = " ".join(words)
    if not compiled(_OUT).search(line):
        return ""
    if compiled(_WHOLE).search(line):
        return _ENVIRONMENT
    found = (match[1] or match[2] or match[3] for match in compiled(_ONE).finditer(line))
    return _SECRET if any(judged(name)[1] >= LIKELY for name in found) else ""


_tables: list[dict[str, list[list[tuple[str, ...]]]]] = []


def _table() -> dict[str, list[list[tuple[str, ...]]]]:
    """The rows by the program that they begin with, read when first needed."""
    if not _tables:
        table: dict[str, list[list[tuple[str, ...]]]] = {}
        for line in _lines():
            first, *rest = [tuple(word.split(",")) for word in line.split()]
            for program in first:
                table.setdefault(program, []).append(rest)
        _tables.append(table)
    return _tables[0]


def _lines() -> Iterator[str]:
    for rows in (_AWS, _CLOUDS, _VAULTS, _CODE, _HOUSES):
        yield from rows.strip().split("\n")
