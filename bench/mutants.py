"""Mutants: the parts that decide, broken on purpose, one at a time; a test must notice.

    python -m bench.mutants [WORD…]      those whose file or reason has one of the words; all by default

Efficacy decides which fix is believed, redaction what reaches the disk, ingest what is kept, trust what others may say,
and gates which model is let through. The tree is copied, one line of it changed, and the tests named beside it run on
the copy, where they passed before. A mutant that lives is a hole in the tests; one whose line is not there any more is a
mistake in this table.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COPIED = (
    "src",
    "tests",
    "bench",
    "docs",
    "fuzz",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "AGENTS.md",
    "Makefile",
)
SECONDS = 600


class Mutant(NamedTuple):
    """In `file`, `before` becomes `after`; `tests` must fail then, because `what` is true of it."""

    file: str
    before: str
    after: str
    tests: str
    what: str


MUTANTS = (
    # Efficacy
    Mutant("learn/belief.py", "SHOWN_TO = 0.1, 0.05, 0.95", "SHOWN_TO = 0.5, 0.05, 0.95", "test_belief.py", "ranked by the middle: one of one outranks fifty of fifty-two"),
    Mutant("learn/belief.py", "return belief.mean <= FAILING", "return belief.mean <= 0.05", "test_belief.py test_fixes.py", "what is believed to fail is served"),
    Mutant("learn/belief.py", "return float(2.0 ** (-age / half_life)) if age > 0 else 1.0", "return 1.0", "test_belief.py", "evidence never fades"),
    Mutant("learn/belief.py", '"heuristic": 0.25', '"heuristic": 1.0', "test_belief.py", "a guess counts as what was seen"),
    Mutant("learn/belief.py", "return counts if total <= most else", "return counts if total >= 0 else", "test_belief.py", "shared counts have no cap"),
    Mutant("recall/answer.py", "if not believed_to_fail(each.belief)]", "]", "test_fixes.py", "a failing fix is shown"),
    Mutant("recall/answer.py", "if not repeats(step, command)))", "))", "test_fixes.py", "the failing command itself is a step"),
    Mutant("recall/answer.py", "match = EXACT if same and not unclear else SIMILAR", "match = EXACT", "fingerprint test_fixes.py", "what could mean anything is exact"),
    Mutant("recall/answer.py", "return (each.belief, each.seen) if each.seen != each.belief else (each.belief,)", "return (each.belief,)", "test_fixes.py", "claimed successes outrank what was taught here"),
    Mutant("recall/answer.py", "here = [outcome[2:] for outcome in outcomes if outcome.project in asked.projects]", "here = [outcome[2:] for outcome in outcomes]", "test_fixes.py test_belief.py test_outcomes.py", "other projects' outcomes count as this one's, too"),
    # Redaction
    Mutant("redact/engine.py", "found += companions(text, found)", "found += ()", "redact", "what stands beside a key stays"),
    Mutant("redact/engine.py", "found += _elsewhere(text, found)", "found += ()", "redact", "the same secret stays where nothing announces it"),
    Mutant("redact/engine.py", "found = _around(text, places)", "found = []", "redact", "what a mark uncovers stays"),
    Mutant("redact/engine.py", "*match.at_hints(text, raw, low), ", "", "redact", "rules with hints find nothing"),
    Mutant("capture/admit.py", "if event.kind == FORGET:\n        return event", "return event", "test_privacy.py", "nothing is redacted before it is written"),
    Mutant("capture/admit.py", 'if left.level != "redacted":', "if False:", "test_privacy.py", "a sensitive file's content is kept"),
    Mutant("capture/admit.py", "rest = {key: value for key, value in given.items() if not asked.content(key)}", "rest = dict(given)", "test_bodies.py test_privacy.py", "contents of files stay in the journal"),
    # Ingest
    Mutant("upkeep/tick.py", "            more, bad = _ingest(segment, store)\n            segment.remove()", "            segment.remove()\n            more, bad = _ingest(segment, store)", "test_tick.py test_crash.py", "a segment is removed before its commit"),
    Mutant("upkeep/tick.py", "        except BadEvent as exc:\n            segment.set_aside(record, str(exc))", "        except BadEvent as exc:", "test_tick.py", "a record that can't be read is dropped"),
    Mutant("capture/spool.py", "return os.fstat(fd).st_nlink > 0", "return True", "test_spool.py", "records go into a segment that is gone"),
    Mutant("capture/spool.py", "fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)", "pass", "test_spool.py", "a writer writes into what is drained"),
    Mutant("store/store.py", "if _rank(event) < _rank(stored[_key(event)])]", "if False]", "test_store.py", "of two versions the one that came first holds"),
    Mutant("store/store.py", "if (w.event.tenant, w.event.id) not in gone or w.event.kind == FORGET]", "]", "test_forget.py test_store.py", "what was forgotten comes back"),
    Mutant("store/store.py", "        self._count(new)\n", "        self._count([written.event for written in wanted])\n", "test_store.py", "what is told twice counts twice"),
    # Trust
    Mutant("memory/sharing.py", "if what.content != offered(memory).content:", "if False:", "test_sharing.py", "what changed meanwhile is trusted unseen"),
    Mutant("memory/sharing.py", "if not all(harmless(step) for step in (*lines, *(recipe.rendered(lines, values) or lines))):", "if False:", "test_sharing.py", "a step that destroys is taken over"),
    Mutant("memory/sharing.py", 'raise BadInput("it holds what would break its quotation")', "pass", "test_sharing.py", "a text that breaks its fence is taken over"),
    Mutant("memory/sharing.py", 'raise BadInput("it holds a secret")', "pass", "test_sharing.py", "a shared secret is taken over"),
    Mutant("learn/lessons.py", 'if source == "taught" or event.body.get("accepted") is True else "proposed"', 'if source else "proposed"', "test_sharing.py test_lessons.py", "a shared rule fires before anybody accepted it"),
    # Who is let in
    Mutant("store/tokens.py", "same = hmac.compare_digest(_hash(form[2] if form else \"\"), rows[0][5] if rows else _DECOY)", "same = bool(rows)", "test_rest.py", "whoever knows a token's name has the token"),
    Mutant("store/tokens.py", 'return "expired" if self.expires and self.expires <= now else "active"', 'return "active"', "test_rest.py", "a token works after its day"),
    Mutant("rest/guard.py", "if host[1].lower() not in self._rules.hosts:", "if False:", "test_rest.py", "a page that had its name turned to this machine is let in"),
    Mutant("rest/login.py", 'return hmac.compare_digest(login.csrf.encode(), said.encode("utf-8", "replace"))', "return True", "test_login.py test_web.py", "a page of others may post in one's name"),
    # Gates
    Mutant("train/gates.py", "passed = gain.low > 0", "passed = gain.value > 0", "test_train.py", "better by chance is better"),
    Mutant("train/gates.py", "passed = passed and other.low >= -case.recipe.margin", "passed = passed", "test_train.py", "worse than what is in use is let through"),
    Mutant("train/gates.py", "found.append(Judged(gate.name, passed and can_fail,", "found.append(Judged(gate.name, passed,", "test_train.py", "a gate that can't fail lets through"),
    Mutant("train/gates.py", "return number >= least, number,", "return True, number,", "test_train.py", "a handful of places is proof"),
    Mutant("train/gates.py", "worst = max(mean(case.candidate.repeats), case.candidate.play_repeats)", "worst = mean(case.candidate.repeats)", "test_train.py", "one that loops in play is let through"),
    Mutant("train/gates.py", "passed = case.candidate.held < case.base.held and gap <= bound", "passed = case.candidate.held < case.base.held", "test_train.py", "what was learned by heart is let through"),
    Mutant("train/gates.py", "gathered.setdefault(groups[place] if groups else str(place), [])", "gathered.setdefault(str(place), [])", "test_train.py", "places of one session count as if they were apart"),
    Mutant("train/gates.py", "case.candidate.useful >= bound and case.candidate.useful > 0,", "case.candidate.useful >= bound,", "test_train.py", "useful for nothing is let through where the base is, too"),
)  # fmt: skip


def main() -> int:
    """Breaks the parts one by one; 1 when a mutant lives or could not be made."""
    words = sys.argv[1:]
    asked = [each for each in MUTANTS if not words or any(word in f"{each.file} {each.what}" for word in words)]
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="engrain-mutants-") as folder:
        for name in COPIED:
            place = os.path.join(ROOT, name)
            (shutil.copytree if os.path.isdir(place) else shutil.copy)(place, os.path.join(folder, name))
        sound = {tests: not _fails(tests.split(), folder) for tests in dict.fromkeys(each.tests for each in asked)}
        for mutant in asked:
            if not sound[mutant.tests]:
                raise SystemExit(f"{mutant.tests} fails as it is, so it proves nothing")
            began = time.monotonic()
            verdict = _verdict(mutant, folder)
            wrong += verdict != "caught"
            print(f"{verdict:<9} {time.monotonic() - began:5.1f} s  {mutant.file}: {mutant.what}", flush=True)
    print(f"{len(asked) - wrong} of {len(asked)} mutants caught")
    return 1 if wrong or not asked else 0


def _verdict(mutant: Mutant, folder: str) -> str:
    path = os.path.join(folder, "src", "engrain", mutant.file)
    with open(path, encoding="utf-8") as file:
        whole = file.read()
    if whole.count(mutant.before) != 1:
        return "NO PLACE"
    try:
        _write(path, whole.replace(mutant.before, mutant.after))
        return "caught" if _fails(mutant.tests.split(), folder) else "LIVES"
    finally:
        _write(path, whole)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _fails(tests: list[str], folder: str) -> bool:
    """Whether a test fails; one that can't even be collected is no proof."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += [f"tests/{name}" for name in tests]
    environ = {**os.environ, "PYTHONPATH": os.path.join(folder, "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        # Nobody would take a run that never ends for a good one.
        return True
    return done.returncode == 1


if __name__ == "__main__":
    sys.exit(main())
