"""What programs are for, as far as it tells one command from another: tables of words.

    LOOK       only looks, and changes nothing           WRAPPERS  run another command and leave it as it is
    HOUSE      prepares or tidies up                      RUNNERS   run it in an environment of theirs
    SAYS       its effect is where its output goes        TOOLS     which options of a program say what it works on

An option that stands in no row only changes how things are told.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.redact.rule import vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    class Wrapper(NamedTuple):
        """Options that take a value, and how many words of its own stand before the command."""

        values: frozenset[str] = frozenset()
        own: int = 0

    class Tool(NamedTuple):
        """`which`: options whose value says what is worked on, under the name that they share; `how`: options with a
        value that says nothing of the kind; `kept`: options that make it another command; `folder`: like a `cd`
        before it; `short`: words for subcommands that have a longer name (or none)."""

        which: dict[str, str]
        how: frozenset[str]
        kept: frozenset[str]
        folder: frozenset[str]
        short: dict[str, str]
else:
    Wrapper = namedtuple("Wrapper", "values own", defaults=(frozenset(), 0))
    Tool = namedtuple("Tool", "which how kept folder short")

LOOK = vocabulary(
    """
    ls ll dir cat bat tac nl head tail less more grep egrep fgrep zgrep rg ag ack find fd echo printf print sed awk gawk
    wc which type whereis pwd tree true false : sleep sort uniq cut tr column test [ [[ jq yq stat file du df date ps
    pgrep lsof free uname hostname whoami id groups printenv env exit return break continue read wait history man info
    tee diff cmp comm strings xxd od hexdump realpath readlink basename dirname seq yes clear command set shopt md5sum
    sha256sum top htop uptime nproc command_not_found_handle fold fmt paste rev zcat local jobs popd dirs
    """
)
HOUSE = vocabulary(
    """
    rm mkdir rmdir touch cp mv ln chmod chown export unset source . alias kill pkill killall trap umask ulimit tee
    mktemp eval declare typeset readonly disown
    """
)
SAYS = vocabulary("echo printf print cat")
"""Programs whose output is theirs alone to place: `echo x > file` writes that file, and does nothing else."""

GO = vocabulary("cd pushd chdir")
SHELLS = vocabulary("sh bash zsh dash ksh ash")

LOOKING = {
    "git": vocabulary(
        "status diff log show rev-parse blame ls-files ls-tree describe shortlog reflog grep cat-file ls-remote "
        "rev-list merge-base name-rev check-ignore var help version count-objects whatchanged"
    ),
    "docker": vocabulary("ps images logs inspect info version stats"),
    "kubectl": vocabulary("get describe logs explain version top"),
    "npm": vocabulary("ls list view info outdated whoami root prefix bin help"),
    "pnpm": vocabulary("ls list why outdated"),
    "yarn": vocabulary("list info why"),
    "pip": vocabulary("list show freeze index debug help"),
    "conda": vocabulary("list info search"),
    "brew": vocabulary("list info search --prefix"),
    "cargo": vocabulary("metadata tree search"),
    "go": vocabulary("version env list doc"),
}
LISTS = {"git": vocabulary("branch remote tag config stash worktree")}
"""Subcommands that only list while nothing but these options follows."""

LISTING = vocabulary("-a -v -vv -r -l --list --all --show-current list show get-url --get --show-origin --oneline")
HOUSEKEEPING = {"git": vocabulary("add"), "find": vocabulary("-delete -exec -execdir")}
ASKING = vocabulary("--version --help -V --usage")
"""Options with which any program only tells about itself."""

WRAPPERS = {
    "time": Wrapper(vocabulary("-f -o --format --output")),
    "command": Wrapper(),
    "builtin": Wrapper(),
    "exec": Wrapper(vocabulary("-a")),
    "nohup": Wrapper(),
    "setsid": Wrapper(),
    "chronic": Wrapper(),
    "unbuffer": Wrapper(),
    "caffeinate": Wrapper(vocabulary("-t -w")),
    "nice": Wrapper(vocabulary("-n --adjustment")),
    "ionice": Wrapper(vocabulary("-c -n --class --classdata")),
    "timeout": Wrapper(vocabulary("-k -s --kill-after --signal"), 1),
    "gtimeout": Wrapper(vocabulary("-k -s --kill-after --signal"), 1),
    "stdbuf": Wrapper(vocabulary("-i -o -e --input --output --error")),
    "env": Wrapper(vocabulary("-u --unset -C --chdir")),
    "rtk": Wrapper(),
    "engrain watch": Wrapper(),
    "engrain run": Wrapper(vocabulary("--task")),
}
TELLING = {"rtk": vocabulary("test err lint summary proxy")}
"""Subcommands of a wrapper that only say how the command's output is told."""

SUDO = Wrapper(vocabulary("-u -g -h -p -C -D -R -T --user --group --host --prompt --chdir"))
XARGS = Wrapper(vocabulary("-I -n -P -L -d -a -s -E --max-args --max-procs --delimiter --replace"))
_ENVIRONMENT = Wrapper(
    vocabulary(
        "-p --python --with --with-requirements --with-editable --extra --group --only-group --project --directory "
        "--env-file --package -e -n --name --prefix --index-url -E -w --workspace -c -C"
    )
)
RUNNERS = dict.fromkeys(
    """
    uv run|poetry run|pipenv run|hatch run|pdm run|rye run|conda run|mamba run|micromamba run|pixi run|npx|bunx|bun x|
    pnpm exec|pnpm dlx|yarn exec|yarn dlx|npm exec|npm x|bundle exec|xvfb-run|dotenv run|dotenv|mise exec|uvx|pipx run|
    uv tool run|coverage run
    """.replace("\n", "")
    .replace("    ", "")
    .split("|"),
    _ENVIRONMENT,
) | {"sudo": SUDO, "doas": SUDO}

ALIASES = {
    "python2": "python",
    "python3": "python",
    "py": "python",
    "pypy3": "python",
    "pip2": "pip",
    "pip3": "pip",
    "py.test": "pytest",
    "nodejs": "node",
    "gradlew": "gradle",
    "mvnw": "mvn",
    "gmake": "make",
    "mamba": "conda",
    "sphinx": "sphinx-build",
    "docker-compose": "docker compose",
}


def _tool(which: str = "", how: str = "", *, kept: str = "", folder: str = "", short: str = "") -> tuple[str, ...]:
    """`-p|--package --test`: two names of one option, and one with a single name."""
    return which, how, kept, folder, short


_KEPT = vocabulary(
    """
    --version --help --dry-run --collect-only --co --list --list-tests --showConfig --init --no-run --abort --continue
    --skip --quit --delete
    """
)
"""Options that make any program do something else."""

_COMMON = (
    "-k -t -g --grep -p -f --file --filter --package --test --tests --project --workspace --target --manifest-path -C"
)
_ROOM = "--prefix -C --cwd --dir --directory"
_RUN = "run= run-script= t=test tst=test i=install add=install"

_OTHER = _tool(
    _COMMON + " -m -e --example --bin --suite --spec --only --match --run --config-name", "-o --output -j -n"
)
_SCRIPT = _tool("-k --filter --test --only -m", "-o --output -j -n --verbosity --settings --parallel -v")
TOOLS = {
    "other": _OTHER,
    "script": _SCRIPT,
    "pytest": _tool(
        "-k -m --deselect --ignore --rootdir --pyargs --lf|--last-failed --ff|--failed-first",
        "-c -n --tb --maxfail -p --cov --cov-report --cov-config -o --override-ini -W --durations --timeout -r --color "
        "--junitxml --log-level --log-cli-level --basetemp --numprocesses --dist --ds --reruns --capture --confcutdir",
        kept="--lf --last-failed --ff --failed-first --sw --stepwise",
    ),
    "unittest": _tool("-k -s|--start-directory -p|--pattern -t"),
    "npm": _tool("-w|--workspace", "--loglevel --registry --tag", folder=_ROOM, short=_RUN),
    "pnpm": _tool("-F|--filter", "--reporter --loglevel --registry", folder=_ROOM, short=_RUN),
    "yarn": _tool("", "--registry", folder=_ROOM, short="run="),
    "bun": _tool(
        "-t|--test-name-pattern --filter", "--timeout --preload --rerun-each", folder=_ROOM, short="i=install"
    ),
    "cargo": _tool(
        "-p|--package --test --bin --example --bench --manifest-path --target --exclude",
        "-j --jobs --features -F --profile --color --message-format --target-dir --config -Z",
        kept="--lib --bins --doc --examples --benches",
        folder="-C",
        short="t=test b=build c=check r=run d=doc",
    ),
    "go": _tool("-run -bench", "-timeout -count -p -tags -ldflags -gcflags -o -coverprofile -cpu -mod", folder="-C"),
    "make": _tool("-f|--file|--makefile", "-j --jobs -l -o -W", folder="-C --directory"),
    "ninja": _tool("-f -t", "-j -l -k -d", folder="-C"),
    "cmake": _tool("--build --target|-t -S -B --install --preset -P", "-j --parallel -G --config -A -T"),
    "ctest": _tool("-R|--tests-regex -E|--exclude-regex --test-dir -L --preset", "-j --parallel --timeout -C"),
    "meson": _tool("-C", "-j --num-processes --buildtype"),
    "tsc": _tool("-p|--project -b|--build", "--target --module --outDir --lib --jsx --moduleResolution"),
    "jest": _tool(
        "-t|--testNamePattern --testPathPattern|--testPathPatterns --selectProjects --findRelatedTests",
        "-c --config --maxWorkers -w --reporters --testTimeout --env --coverageDirectory --shard",
        kept="--showConfig --listTests",
    ),
    "vitest": _tool(
        "-t|--testNamePattern --project --dir",
        "-c --config --reporter --pool --environment --testTimeout --shard -r --root",
        short="run= watch= dev=",
    ),
    "mocha": _tool("-g|--grep -f|--fgrep", "-R --reporter -t --timeout -r --require --config"),
    "playwright": _tool("-g|--grep --project", "-c --config --workers -j --reporter --retries --timeout"),
    "eslint": _tool(
        "", "-c --config --ext -f --format --max-warnings --parser --rule -o --resolve-plugins-relative-to"
    ),
    "prettier": _tool("", "--config --parser --plugin --log-level --ignore-path"),
    "biome": _tool("", "--max-diagnostics --config-path --reporter"),
    "mvn": _tool("-pl|--projects -f|--file -Dtest -Dit.test", "-P -T -s -l -rf -t -gs"),
    "gradle": _tool(
        "--tests -b", "-x --exclude-task --console --max-workers -I --init-script", folder="-p --project-dir"
    ),
    "sbt": _tool(),
    "docker": _tool(
        "-f|--file --target -p",
        "-t --tag --build-arg --progress --platform -v --volume -e --env --name --network -w --workdir -u --user "
        "--entrypoint --mount --env-file --add-host --label --cpus -m --memory --restart --publish --profile --gpus",
    ),
    "git": _tool(
        "",
        "-m --message -am -F --author --date -c --depth -S --format -X --strategy-option -s --strategy --cleanup",
        kept="-d -D -b -B --hard --orphan",
        folder="-C",
    ),
    "gh": _tool(
        "", "--title -t --body -b --body-file -F --base -B --head -H --repo -R --json --jq -q --label -l --limit"
    ),
    "pip": _tool(
        "-r|--requirement -t|--target",
        "-i --index-url --extra-index-url -c --constraint --timeout --python -f --find-links --retries --progress-bar "
        "--only-binary --no-binary --trusted-host --prefix --cache-dir --proxy --platform --python-version",
        short="i=install",
    ),
    "uv": _tool(
        "-r --group --extra --package", "--python -p --index-url --extra-index-url --index", folder="--directory"
    ),
    "poetry": _tool("--group|-G", "-E --extras --source --python", folder="-C --directory"),
    "conda": _tool("-n|--name -f|--file", "-c --channel -p"),
    "tox": _tool("-e -c|--conf -f", "-n -p --parallel --workdir"),
    "nox": _tool("-s|--session|--sessions -e -k -f", "-p --python"),
    "mypy": _tool("-p|--package -m|--module -c", "--config-file --python-version --cache-dir --python-executable"),
    "ruff": _tool("", "--select --ignore --config --output-format --target-version --line-length --extend-select"),
    "black": _tool("", "--config -l --line-length -t --target-version --exclude --include"),
    "flake8": _tool("", "--max-line-length --select --ignore --config --exclude --max-complexity"),
    "pylint": _tool("", "--rcfile -j -d --disable -e --enable -f --output-format --score --reports"),
    "rspec": _tool("-e|--example -t|--tag -P|--pattern", "-f --format -r --require --seed -o --out -I"),
    "rails": _tool("-n|--name", "-e --environment -s --seed"),
    "rake": _tool("-f", "-j -I -r"),
    "dotnet": _tool(
        "--filter --project -p",
        "-c --configuration -v --verbosity --logger -l -f --framework -r --runtime -o --settings",
    ),
    "bazel": _tool("--test_filter", "--config --jobs -c --test_output --keep_going"),
    "phpunit": _tool("--filter --group --testsuite", "-c --configuration --bootstrap --log-junit"),
    "composer": _tool("", "", folder="-d --working-dir"),
    "terraform": _tool("-target", "-var -var-file -backend-config", folder="-chdir"),
    "kubectl": _tool("-f|--filename -n|--namespace -k -l|--selector", "-o --output --context --timeout"),
    "curl": _tool(
        "-X|--request", "-H --header -d --data --data-raw -o --output -u --user -A -m --max-time -w --retry -F"
    ),
    "psql": _tool("-c|--command -f|--file -d|--dbname", "-h -p -U -v -P --host --port --username"),
    "node": _tool("-e|--eval -p --test-name-pattern", "-r --require --import --loader --max-old-space-size"),
    "deno": _tool("--filter", "-c --config --import-map"),
    "ssh": _tool("", "-i -p -o -l -F -J"),
}

_read: dict[str, Tool] = {}


def tool(name: str) -> Tool:
    """What is known of a program's options; a row is read when it is first needed."""
    name = name.partition(" ")[0]
    name = name if name in TOOLS else "other" if name in KNOWN else "script"
    found = _read.get(name)
    if found is None:
        found = _read[name] = _of(*TOOLS[name])
    return found


def _of(which: str, how: str, kept: str, folder: str, short: str) -> Tool:
    names = [names.split("|") for names in which.split()]
    return Tool(
        {name: row[0] for row in names for name in row},
        vocabulary(how),
        vocabulary(kept) | _KEPT,
        vocabulary(folder),
        dict(pair.split("=") for pair in short.split()),
    )


INTERPRETERS = vocabulary("python node bash sh zsh dash ruby perl php Rscript lua tsx ts-node deno bun julia Rscript")
"""They run a script that is named; of these the script is the command, `python x.py` like `./x.py`."""

_OFTEN = vocabulary(
    """
    apt apt-get apk dnf yum pacman snap nix rustup rustc ruby gem php perl java javac kotlinc scala swift xcodebuild pod
    flutter dart mix elixir stack cabal ghc gcc g++ clang cc ld tsx ts-node next vite webpack rollup turbo nx lerna
    pre-commit isort autopep8 pyright coverage pyenv nvm fnm asdf volta corepack alembic django-admin manage.py flask
    uvicorn gunicorn celery sphinx-build systemctl service launchctl crontab wget scp rsync tar unzip zip gunzip openssl
    mysql sqlite3 redis-cli mongosh helm ansible ansible-playbook aws gcloud az heroku vercel netlify fly firebase
    supabase prisma patch ldconfig locale-gen sysctl mount swapon dpkg apt-cache usermod pkg-config autoreconf svn hg
    golangci-lint gofmt rubocop stylelint svelte-check vue-tsc cypress ansible-galaxy localedef engrain
    """
)
KNOWN = (LOOK | HOUSE | GO | SHELLS | INTERPRETERS | _OFTEN | frozenset(TOOLS) | frozenset(ALIASES)) | vocabulary(
    " ".join([*RUNNERS, *WRAPPERS, "xargs"])
) - vocabulary("run x exec dlx tool watch")
"""Names by which a word is taken for a program: wherever it lies, `.venv/bin/pytest` is `pytest`."""


def name(word: str) -> str:
    """The name of a program: a known one without its folder and its version, a script as it is called."""
    base = word.rpartition("/")[2] if "/" in word else word
    if base in ALIASES:
        return ALIASES[base]
    if base in KNOWN:
        return base
    if base[:6] == "python" and base[6:].replace(".", "").isdigit():
        return "python"
    if base[-4:] == ".exe" or base[-4:] == ".cmd":
        return name(base[:-4])
    return word[2:] if word[:2] == "./" else word


def sub(name: str, words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The subcommand, behind options of the program itself, and what follows it."""
    at, own = 1, tool(name)
    while at < len(words) and words[at][:1] == "-":
        at += 2 if words[at] in own.folder or words[at] in own.how else 1
    return (words[at], words[at + 1 :]) if at < len(words) else ("", ())


def behind(words: Sequence[str], at: int, wrapper: Wrapper) -> int:
    """Where the command behind a wrapper's own words begins, which begin at `at`."""
    own = wrapper.own
    while at < len(words):
        word = words[at]
        if word == "--":
            return at + 1
        if word[:1] == "-":
            at += 2 if word in wrapper.values else 1
        elif own:
            own, at = own - 1, at + 1
        else:
            break
    return at


def run_by(name: str, words: Sequence[str], at: int) -> int:
    """Where the command begins that a runner at `at` runs (`uv run pytest`); `at` where it is none."""
    pair = f"{name} {words[at + 1]}" if at + 2 < len(words) else ""
    if name in RUNNERS:
        found = behind(words, at + 1, RUNNERS[name])
    elif pair in RUNNERS:
        found = behind(words, at + 2, RUNNERS[pair])
    else:
        found = at + 1 if pair == "uv pip" else at
    return found if found < len(words) else at
