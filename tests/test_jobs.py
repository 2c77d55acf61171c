"""Jobs, on both databases: asked for twice is done once, a dead worker's job is taken over, a bad one is laid aside."""

from __future__ import annotations

import threading

from engrain.learn.direct import derive
from engrain.store import Store, open_store
from engrain.store.jobs import FIRST_WAIT, LEASE, LONGEST_WAIT, MAX_TRIES, Jobs

NOW = 1_790_000_000_000_000


def queue(store: Store, *keys: str) -> Jobs:
    jobs = Jobs(store.database)
    for key in keys:
        jobs.enqueue("mine", key, {"key": key}, project="p", now=NOW)
    return jobs


def test_a_job_asked_for_twice_is_one_job(store: Store) -> None:
    jobs = queue(store, "a", "a")
    assert jobs.waiting() == 1
    (job,) = jobs.lease("me", ["mine"], limit=5, now=NOW)
    assert job.body == {"key": "a"}
    jobs.finish(job)
    assert jobs.waiting() == 0


def test_a_leased_job_is_nobody_elses_until_the_lease_ends(store: Store) -> None:
    jobs = queue(store, "a")
    (first,) = jobs.lease("me", ["mine"], now=NOW)
    assert jobs.lease("you", ["mine"], now=NOW + LEASE - 1) == []
    (second,) = jobs.lease("you", ["mine"], now=NOW + LEASE)
    assert second.tries == 2
    jobs.finish(first)
    assert jobs.waiting() == 1, "who lost the lease can't finish the job of who has it"
    jobs.finish(second)
    assert jobs.waiting() == 0


def test_only_kinds_that_the_worker_knows_are_handed_out(store: Store) -> None:
    jobs = queue(store, "a")
    assert jobs.lease("me", ["other"], now=NOW) == []


def test_a_failing_job_waits_longer_each_time_and_is_then_laid_aside(store: Store) -> None:
    jobs, now, waits = queue(store, "a"), NOW, []
    for _ in range(MAX_TRIES):
        (job,) = jobs.lease("me", ["mine"], now=now)
        jobs.fail(job, "it rains", now=now)
        due = now
        while not jobs.dead() and not jobs.lease("probe", ["mine"], now=due) and due < now + LONGEST_WAIT:
            due += FIRST_WAIT // 2
        waits.append(due - now)
        now = due + LEASE
        if jobs.dead():
            break
    (dead,) = jobs.dead()
    assert dead.error == "it rains"
    assert waits[:2] == [FIRST_WAIT, FIRST_WAIT * 4], "the probe's lease counts as a try"
    assert jobs.lease("me", ["mine"], now=now + LONGEST_WAIT) == []
    assert jobs.revive(now=now) == 1
    assert jobs.lease("me", ["mine"], now=now)[0].tries == 1


def test_a_job_whose_workers_all_die_is_laid_aside_too(store: Store) -> None:
    jobs = queue(store, "a")
    for n in range(MAX_TRIES):
        assert jobs.lease("me", ["mine"], now=NOW + n * LEASE)
    assert jobs.lease("me", ["mine"], now=NOW + MAX_TRIES * LEASE) == []
    assert jobs.dead()[0].error == "the process that worked on it died"


def test_asking_again_brings_a_dead_job_back(store: Store) -> None:
    jobs = queue(store, "a")
    for n in range(MAX_TRIES + 1):
        jobs.lease("me", ["mine"], now=NOW + n * LEASE)
    queue(store, "a")
    assert jobs.dead() == []
    assert jobs.waiting() == 1


def test_a_clock_that_was_set_back_does_not_put_jobs_off_for_years(store: Store) -> None:
    jobs, ahead = queue(store), NOW + 10 * 365 * 86_400_000_000
    jobs.enqueue("mine", "a", {}, project="p", now=ahead)
    assert jobs.lease("me", ["mine"], now=NOW)
    jobs.enqueue("mine", "b", {}, project="p", now=ahead)
    jobs.lease("me", ["mine"], now=ahead)
    assert jobs.lease("me", ["mine"], now=NOW), "nor does a lease taken in that future last until then"


def test_workers_at_once_do_every_job_once(where: str) -> None:
    store = open_store(where, derive)
    queue(store, *(f"{n:03d}" for n in range(60)))
    done: list[str] = []

    def work(name: str) -> None:
        mine = open_store(where, derive)
        jobs = Jobs(mine.database)
        while leased := jobs.lease(name, ["mine"], limit=2, now=NOW):
            for job in leased:
                done.append(job.key)
                jobs.finish(job)
        mine.close()

    threads = [threading.Thread(target=work, args=(f"worker {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [f"{n:03d}" for n in range(60)]
    store.close()
