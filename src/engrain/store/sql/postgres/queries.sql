-- version --
-- How many migrations the store has seen; read in every transaction that writes.
SELECT count(*), max(name) FROM mem_migrations;

-- migrated --
-- The migrations that the store has seen.
SELECT name FROM mem_migrations ORDER BY name;

-- record_migration --
-- Says that a migration was applied, in its own transaction.
INSERT INTO mem_migrations (name, time) VALUES (%(name)s, %(time)s);

-- insert_event --
-- Adds an event unless it is there.
INSERT INTO mem_events (tenant, project, id, time, session, agent, kind, v, body)
VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s, %(session)s, %(agent)s, %(kind)s, %(v)s, %(body)s)
ON CONFLICT DO NOTHING RETURNING 1;

-- erase_events --
-- Takes one event out of the journal.
DELETE FROM mem_events WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- events_by_ids --
-- The events with these ids, wherever they happened.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE id = ANY (%(ids)s) ORDER BY time, id, project, tenant;

-- all_events --
-- The whole journal in its order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events ORDER BY time, id, project, tenant;

-- events_after --
-- The events of a tenant behind a place in the journal's order, in that order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE tenant = %(tenant)s AND (time, id, project) > (%(time)s, %(id)s, %(project)s) ORDER BY time, id, project LIMIT %(limit)s;

-- chosen_events --
-- Keys of the events that a choice names; an empty choice of a kind means any.
SELECT tenant, project, id FROM mem_events
WHERE (%(session)s = '' OR session = %(session)s)
  AND (%(project)s = '' OR project = ANY (%(projects)s))
  AND (%(before)s = 0 OR time < %(before)s)
  AND (%(matching)s = '' OR strpos(body, %(matching)s) > 0)
  AND kind <> 'forget'
ORDER BY time, id, project, tenant;

-- count_events --
-- How many events there are, and when the first and the last happened.
SELECT count(*), min(time), max(time) FROM mem_events;

-- count_kinds --
-- How many events of each kind there are.
SELECT kind, sum(events)::bigint AS number FROM mem_days GROUP BY kind ORDER BY number DESC, kind;

-- tombstones_of --
-- Which of these ids were forgotten.
SELECT DISTINCT tenant, target FROM mem_tombstones WHERE target = ANY (%(ids)s);

-- insert_documents --
-- The text of an event, for full-text search.
INSERT INTO mem_documents (tenant, project, id, text, names, place, words)
VALUES (%(tenant)s, %(project)s, %(id)s, %(text)s, %(names)s, %(place)s,
  to_tsvector('mem_words', %(plain)s) || to_tsvector('mem_words', %(names)s || ' ' || %(place)s));

-- erase_documents --
-- Takes the text of an event out of the index.
DELETE FROM mem_documents WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_documents --
-- Empties the index, before a rebuild.
DELETE FROM mem_documents;

-- dump_documents --
-- Every document.
SELECT tenant, project, id, text, names, place FROM mem_documents ORDER BY tenant, project, id;

-- insert_notes --
-- A note.
INSERT INTO mem_notes (tenant, project, id, time, text, tags) VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s,
  %(text)s, %(tags)s);

-- erase_notes --
-- Takes a note away with its event.
DELETE FROM mem_notes WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_notes --
-- Empties the notes, before a rebuild.
DELETE FROM mem_notes;

-- dump_notes --
-- Every note.
SELECT tenant, project, id, time, text, tags FROM mem_notes ORDER BY tenant, project, id;

-- insert_places --
-- Where a project was seen.
INSERT INTO mem_places (tenant, project, id, time, name, root, remote)
VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s, %(name)s, %(root)s, %(remote)s);

-- erase_places --
-- Takes a place away with its event.
DELETE FROM mem_places WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_places --
-- Empties the places, before a rebuild.
DELETE FROM mem_places;

-- dump_places --
-- Every place.
SELECT tenant, project, id, time, name, root, remote FROM mem_places ORDER BY tenant, project, id;

-- insert_merges --
-- A project that is another one.
INSERT INTO mem_merges (tenant, project, id, time, target) VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s,
  %(target)s);

-- erase_merges --
-- Takes a merge away with its event.
DELETE FROM mem_merges WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_merges --
-- Empties the merges, before a rebuild.
DELETE FROM mem_merges;

-- dump_merges --
-- Every merge.
SELECT tenant, project, id, time, target FROM mem_merges ORDER BY tenant, project, id;

-- insert_tombstones --
-- An id that was forgotten.
INSERT INTO mem_tombstones (tenant, project, id, target) VALUES (%(tenant)s, %(project)s, %(id)s, %(target)s)
ON CONFLICT DO NOTHING;

-- erase_tombstones --
-- Takes the tombstones of one forget away, when another version of that event replaces it.
DELETE FROM mem_tombstones WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_tombstones --
-- Empties the tombstones, before a rebuild.
DELETE FROM mem_tombstones;

-- dump_tombstones --
-- Every tombstone.
SELECT tenant, project, id, target FROM mem_tombstones ORDER BY tenant, project, id, target;

-- insert_bodies --
-- What an event carried, apart from the journal.
INSERT INTO mem_bodies (tenant, project, id, time, text) VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s,
  %(text)s)
ON CONFLICT DO NOTHING;

-- erase_bodies --
-- Takes away what an event carried.
DELETE FROM mem_bodies WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- expire_bodies --
-- Takes away what events before a time carried.
DELETE FROM mem_bodies WHERE time < %(before)s;

-- bodies_by_ids --
-- What the events with these ids carried.
SELECT tenant, project, id, text FROM mem_bodies
WHERE id = ANY (%(ids)s) ORDER BY time, id, project, tenant;

-- count_bodies --
-- How many bodies there are, since when, and how many characters that is.
SELECT count(*), min(time), sum(length(text)) FROM mem_bodies;

-- insert_redactions --
-- How often a rule took something out of an event.
INSERT INTO mem_redactions (tenant, project, id, rule, number) VALUES (%(tenant)s, %(project)s, %(id)s, %(rule)s,
  %(number)s);

-- erase_redactions --
-- Takes these counts away with their event.
DELETE FROM mem_redactions WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_redactions --
-- Empties the counts, before a rebuild.
DELETE FROM mem_redactions;

-- dump_redactions --
-- Every count.
SELECT tenant, project, id, rule, number FROM mem_redactions ORDER BY tenant, project, id, rule;

-- count_redactions --
-- How often each rule took something out.
SELECT rule, sum(number) FROM mem_redactions GROUP BY rule ORDER BY sum(number) DESC, rule;

-- add_sessions --
-- Counts new events into their session.
INSERT INTO mem_sessions (tenant, project, session, agent, started, ended, events)
VALUES (%(tenant)s, %(project)s, %(session)s, %(agent)s, %(started)s, %(ended)s, %(events)s)
ON CONFLICT (tenant, project, session, agent) DO UPDATE SET
  started = least(mem_sessions.started, excluded.started), ended = greatest(mem_sessions.ended, excluded.ended),
  events = mem_sessions.events + excluded.events;

-- unfold_sessions --
-- Takes the sessions of a project away, to count them again.
DELETE FROM mem_sessions WHERE tenant = %(tenant)s AND project = %(project)s;

-- fold_sessions --
-- Counts the sessions of a project from the journal.
INSERT INTO mem_sessions (tenant, project, session, agent, started, ended, events)
SELECT tenant, project, session, agent, min(time), max(time), count(*) FROM mem_events
WHERE tenant = %(tenant)s AND project = %(project)s AND session <> ''
GROUP BY tenant, project, session, agent;

-- clear_sessions --
-- Empties the sessions, before a rebuild.
DELETE FROM mem_sessions;

-- dump_sessions --
-- Every session.
SELECT tenant, project, session, agent, started, ended, events FROM mem_sessions ORDER BY tenant, project, session,
  agent;

-- add_projects --
-- Counts new events into their project.
INSERT INTO mem_projects (tenant, project, started, ended, events)
VALUES (%(tenant)s, %(project)s, %(started)s, %(ended)s, %(events)s)
ON CONFLICT (tenant, project) DO UPDATE SET
  started = least(mem_projects.started, excluded.started), ended = greatest(mem_projects.ended, excluded.ended),
  events = mem_projects.events + excluded.events;

-- unfold_projects --
-- Takes a project's count away, to count it again.
DELETE FROM mem_projects WHERE tenant = %(tenant)s AND project = %(project)s;

-- fold_projects --
-- Counts a project from the journal.
INSERT INTO mem_projects (tenant, project, started, ended, events)
SELECT tenant, project, min(time), max(time), count(*) FROM mem_events
WHERE tenant = %(tenant)s AND project = %(project)s
GROUP BY tenant, project;

-- clear_projects --
-- Empties the projects, before a rebuild.
DELETE FROM mem_projects;

-- dump_projects --
-- Every project.
SELECT tenant, project, started, ended, events FROM mem_projects ORDER BY tenant, project;

-- search --
-- Of events whose words match, those that fit best, each term by what it weighs: their keys, and how well they fit.
WITH asked AS MATERIALIZED (
  SELECT to_tsquery('mem_words', t.term) AS term, t.weight
  FROM unnest(%(terms)s::text[], %(weights)s::float8[]) AS t (term, weight)
)
SELECT found.tenant, found.project, found.id, found.score FROM (
  SELECT d.tenant, d.project, d.id, (
    SELECT sum(weight * (0.8 + ts_rank(d.words, term, 1))) FROM asked WHERE d.words @@ term
  ) AS score FROM mem_documents AS d
  WHERE d.words @@ to_tsquery('mem_words', %(match)s)
    AND (%(anytime)s OR EXISTS (
      SELECT 1 FROM mem_events AS e WHERE e.id = d.id AND e.project = d.project AND e.tenant = d.tenant
        AND e.time >= %(since)s AND e.time < %(before)s
    ))
  LIMIT %(most)s
) AS found ORDER BY found.score DESC, found.tenant, found.project, found.id LIMIT %(limit)s;

-- count_matching --
-- How many events have words that match; no more of them are counted than a limit.
SELECT count(*) FROM (
  SELECT 1 FROM mem_documents WHERE words @@ to_tsquery('mem_words', %(match)s) LIMIT %(most)s
) AS matching;

-- enqueue --
-- Puts a job in line; one that waits under the same key is the same job, a dead one comes back to life,
-- and one that is being worked on runs once more when its lease is over.
INSERT INTO mem_jobs (tenant, project, kind, key, body, due)
VALUES (%(tenant)s, %(project)s, %(kind)s, %(key)s, %(body)s, %(due)s)
ON CONFLICT (tenant, project, kind, key) DO UPDATE SET
  body = excluded.body, due = least(mem_jobs.due, excluded.due), state = 'waiting', holder = '',
  tries = CASE WHEN mem_jobs.state = 'dead' THEN 0 ELSE mem_jobs.tries END;

-- lease_jobs --
-- Hands out jobs that are due and that nobody holds. A time too far ahead was written by a clock that has since run
-- back.
UPDATE mem_jobs SET holder = %(holder)s, until = %(until)s, tries = tries + 1
WHERE (tenant, project, kind, key) IN (
  SELECT tenant, project, kind, key FROM mem_jobs
  WHERE state = 'waiting' AND (due <= %(now)s OR due > %(absurd)s) AND (until <= %(now)s OR until > %(absurd)s)
    AND kind = ANY (%(kinds)s)
  ORDER BY due, tenant, project, kind, key LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
RETURNING tenant, project, kind, key, body, tries;

-- bury_jobs --
-- Gives up jobs whose holder died at the last try that they had.
UPDATE mem_jobs SET state = 'dead', holder = '', until = 0, error = 'the process that worked on it died'
WHERE state = 'waiting' AND tries >= %(most)s AND holder <> '' AND until <= %(now)s;

-- finish_job --
-- The job is done; only its holder may say so.
DELETE FROM mem_jobs WHERE tenant = %(tenant)s AND project = %(project)s AND kind = %(kind)s AND key = %(key)s AND
  holder = %(holder)s;

-- postpone_job --
-- The job failed: it waits for its next try, or is dead. Only its holder may say so.
UPDATE mem_jobs SET holder = '', until = 0, due = %(due)s, state = %(state)s, error = %(error)s
WHERE tenant = %(tenant)s AND project = %(project)s AND kind = %(kind)s AND key = %(key)s AND holder = %(holder)s;

-- count_jobs_of --
-- How many jobs of a kind wait.
SELECT count(*) FROM mem_jobs WHERE kind = %(kind)s AND state = 'waiting';

-- count_jobs --
-- How many jobs wait and how many are dead.
SELECT state, count(*) FROM mem_jobs GROUP BY state;

-- dead_jobs --
-- The jobs that were given up, with the last error of each.
SELECT tenant, project, kind, key, body, tries, error FROM mem_jobs WHERE state = 'dead' ORDER BY tenant, project,
  kind, key;

-- revive_jobs --
-- Gives every dead job its tries back.
UPDATE mem_jobs SET state = 'waiting', tries = 0, due = %(now)s, holder = '', until = 0 WHERE state = 'dead';

-- insert_recipes --
-- A recipe as it was taught, mined or imported.
INSERT INTO mem_recipes (tenant, project, id, fix, time, key, wide, through, family, toolchain, error_type, wording,
  steps,
  parameters, general, taught, mined, imported, worked, failed, message, cause, example, told)
VALUES (%(tenant)s, %(project)s, %(id)s, %(fix)s, %(time)s, %(key)s, %(wide)s, %(through)s, %(family)s, %(toolchain)s,
  %(error_type)s, %(wording)s, %(steps)s, %(parameters)s, %(general)s, %(taught)s, %(mined)s, %(imported)s,
  %(worked)s, %(failed)s, %(message)s, %(cause)s, %(example)s, %(told)s);

-- erase_recipes --
-- Takes it away with its event.
DELETE FROM mem_recipes WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_recipes --
-- Empties the table, before a rebuild.
DELETE FROM mem_recipes;

-- dump_recipes --
-- Every row.
SELECT tenant, project, id, fix, time, key, wide, through, family, toolchain, error_type, wording, steps, parameters,
  general, taught, mined, imported, worked, failed, message, cause, example, told FROM mem_recipes ORDER BY tenant,
  project, id, fix;

-- insert_outcomes --
-- An outcome of a recipe.
INSERT INTO mem_outcomes (tenant, project, id, fix, time, week, provenance, worked, failed)
VALUES (%(tenant)s, %(project)s, %(id)s, %(fix)s, %(time)s, %(week)s, %(provenance)s, %(worked)s, %(failed)s);

-- erase_outcomes --
-- Takes it away with its event.
DELETE FROM mem_outcomes WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_outcomes --
-- Empties the table, before a rebuild.
DELETE FROM mem_outcomes;

-- dump_outcomes --
-- Every row.
SELECT tenant, project, id, fix, time, week, provenance, worked, failed FROM mem_outcomes ORDER BY tenant, project,
  id, fix;

-- insert_servings --
-- A fix that was shown or held back.
INSERT INTO mem_servings (tenant, project, id, fix, time, place, matched, failure, fingerprint, command, channel,
  held)
VALUES (%(tenant)s, %(project)s, %(id)s, %(fix)s, %(time)s, %(place)s, %(matched)s, %(failure)s, %(fingerprint)s,
  %(command)s,
  %(channel)s, %(held)s);

-- erase_servings --
-- Takes it away with its event.
DELETE FROM mem_servings WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_servings --
-- Empties the table, before a rebuild.
DELETE FROM mem_servings;

-- dump_servings --
-- Every row.
SELECT tenant, project, id, fix, time, place, matched, failure, fingerprint, command, channel, held FROM
  mem_servings ORDER
  BY tenant, project, id, fix;

-- insert_failures --
-- A command that failed.
INSERT INTO mem_failures (tenant, project, id, time, fingerprint, family, toolchain, error_type, message)
VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s, %(fingerprint)s, %(family)s, %(toolchain)s, %(error_type)s,
  %(message)s);

-- erase_failures --
-- Takes it away with its event.
DELETE FROM mem_failures WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_failures --
-- Empties the table, before a rebuild.
DELETE FROM mem_failures;

-- dump_failures --
-- Every row.
SELECT tenant, project, id, time, fingerprint, family, toolchain, error_type, message FROM mem_failures ORDER BY
  tenant, project, id;

-- insert_calls --
-- A tool call or a command.
INSERT INTO mem_calls (tenant, project, id, time, started, session, agent, tool, call, command, cwd, path, exit,
  failed, interrupted, refused, unanswered, fingerprint, seconds, subagent, prompt, of, watched)
VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s, %(started)s, %(session)s, %(agent)s, %(tool)s, %(call)s,
  %(command)s, %(cwd)s, %(path)s, %(exit)s, %(failed)s, %(interrupted)s, %(refused)s, %(unanswered)s, %(fingerprint)s,
  %(seconds)s, %(subagent)s, %(prompt)s, %(of)s, %(watched)s);

-- erase_calls --
-- Takes it away with its event.
DELETE FROM mem_calls WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_calls --
-- Empties the table, before a rebuild.
DELETE FROM mem_calls;

-- dump_calls --
-- Every row.
SELECT tenant, project, id, time, started, session, agent, tool, call, command, cwd, path, exit, failed, interrupted,
  refused, unanswered, fingerprint, seconds, subagent, prompt, of, watched
FROM mem_calls ORDER BY tenant, project, id;

-- insert_prompts --
-- A prompt.
INSERT INTO mem_prompts (tenant, project, id, time, session, agent, prompt, text)
VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s, %(session)s, %(agent)s, %(prompt)s, %(text)s);

-- erase_prompts --
-- Takes it away with its event.
DELETE FROM mem_prompts WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_prompts --
-- Empties the table, before a rebuild.
DELETE FROM mem_prompts;

-- dump_prompts --
-- Every row.
SELECT tenant, project, id, time, session, agent, prompt, text
FROM mem_prompts ORDER BY tenant, project, id;

-- add_fixes --
-- Counts a recipe into the fix that it is.
INSERT INTO mem_fixes (tenant, project, fix, key, wide, through, family, toolchain, error_type, wording, steps,
  parameters,
  general, taught, mined, imported, worked, failed, first, last)
VALUES (%(tenant)s, %(project)s, %(fix)s, %(key)s, %(wide)s, %(through)s, %(family)s, %(toolchain)s, %(error_type)s,
  %(wording)s, %(steps)s, %(parameters)s, %(general)s, %(taught)s, %(mined)s, %(imported)s, %(worked)s, %(failed)s,
  %(time)s, %(time)s)
ON CONFLICT (tenant, project, fix) DO UPDATE SET
  family = least(mem_fixes.family, excluded.family), general = least(mem_fixes.general, excluded.general),
  toolchain = least(mem_fixes.toolchain, excluded.toolchain),
  error_type = least(mem_fixes.error_type, excluded.error_type),
  wording = least(mem_fixes.wording, excluded.wording), parameters = least(mem_fixes.parameters,
  excluded.parameters),
  taught = mem_fixes.taught + excluded.taught, mined = mem_fixes.mined + excluded.mined, imported =
  mem_fixes.imported + excluded.imported,
  worked = mem_fixes.worked + excluded.worked, failed = mem_fixes.failed + excluded.failed,
  first = least(mem_fixes.first, excluded.first), last = greatest(mem_fixes.last, excluded.last);

-- unfold_fixes --
-- Takes the fixes of a project away, to count them again.
DELETE FROM mem_fixes WHERE tenant = %(tenant)s AND project = %(project)s;

-- fold_fixes --
-- Counts the fixes of a project from its recipes.
INSERT INTO mem_fixes (tenant, project, fix, key, wide, through, family, toolchain, error_type, wording, steps,
  parameters,
  general, taught, mined, imported, worked, failed, first, last)
SELECT tenant, project, fix, min(key), min(wide), min(through), min(family), min(toolchain), min(error_type),
  min(wording),
  min(steps), min(parameters), min(general), sum(taught)::bigint, sum(mined)::bigint, sum(imported)::bigint,
  sum(worked)::bigint, sum(failed)::bigint, min(time), max(time)
FROM mem_recipes WHERE tenant = %(tenant)s AND project = %(project)s
GROUP BY tenant, project, fix;

-- clear_fixes --
-- Empties the table, before a rebuild.
DELETE FROM mem_fixes;

-- dump_fixes --
-- Every fix.
SELECT tenant, project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught,
  mined, imported, worked, failed, first, last FROM mem_fixes ORDER BY tenant, project, fix;

-- add_evidence --
-- Counts an outcome into its week.
INSERT INTO mem_evidence (tenant, project, fix, week, provenance, worked, failed)
VALUES (%(tenant)s, %(project)s, %(fix)s, %(week)s, %(provenance)s, %(worked)s, %(failed)s)
ON CONFLICT (tenant, project, fix, week, provenance) DO UPDATE SET
  worked = mem_evidence.worked + excluded.worked, failed = mem_evidence.failed + excluded.failed;

-- unfold_evidence --
-- Takes the evidence of a project away, to count it again.
DELETE FROM mem_evidence WHERE tenant = %(tenant)s AND project = %(project)s;

-- fold_evidence --
-- Counts the outcomes of a project by week.
INSERT INTO mem_evidence (tenant, project, fix, week, provenance, worked, failed)
SELECT tenant, project, fix, week, provenance, sum(worked)::bigint, sum(failed)::bigint FROM mem_outcomes
WHERE tenant = %(tenant)s AND project = %(project)s
GROUP BY tenant, project, fix, week, provenance;

-- clear_evidence --
-- Empties the table, before a rebuild.
DELETE FROM mem_evidence;

-- dump_evidence --
-- All evidence.
SELECT tenant, project, fix, week, provenance, worked, failed FROM mem_evidence ORDER BY tenant, project, fix, week,
  provenance;

-- fixes_by_key --
-- The fixes of a fingerprint or a family, the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM mem_fixes WHERE tenant = %(tenant)s AND key = %(key)s ORDER BY last DESC, fix, project LIMIT %(limit)s;

-- fixes_by_type --
-- The fixes of single failures of one tool and type, the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM mem_fixes WHERE tenant = %(tenant)s AND toolchain = %(toolchain)s AND error_type = %(error_type)s AND wide = 0
ORDER BY last DESC, fix, project LIMIT %(limit)s;

-- values_of_fix --
-- What the failures named for which a recipe of a family helped.
SELECT DISTINCT parameters
FROM mem_fixes WHERE tenant = %(tenant)s AND toolchain = %(toolchain)s
  AND error_type = %(error_type)s AND wide = 0 AND general = %(general)s ORDER BY parameters LIMIT 64;

-- fixes_by_prefix --
-- The fixes whose id begins so.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM mem_fixes WHERE tenant = %(tenant)s AND fix >= %(prefix)s AND fix < %(beyond)s ORDER BY fix, project LIMIT
  %(limit)s;

-- newest_fixes --
-- The fixes of single failures, of these projects (none: of all), the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM mem_fixes WHERE tenant = %(tenant)s AND (%(project)s = '' OR project = ANY (%(projects)s)) AND wide = 0
ORDER BY last DESC, fix, project LIMIT %(limit)s;

-- evidence_of --
-- The evidence for these fixes.
SELECT project, fix, week, provenance, worked, failed FROM mem_evidence
WHERE tenant = %(tenant)s AND fix = ANY (%(fixes)s) ORDER BY fix, project, week, provenance;

-- told_of --
-- What was last said about a fix: its cause, an example and the failure.
SELECT message, cause, example FROM mem_recipes
WHERE tenant = %(tenant)s AND fix = %(fix)s ORDER BY told DESC, time DESC, id DESC LIMIT 1;

-- corrections --
-- Changes of a command that were mined in at least so many sessions of a project.
SELECT project, fix FROM mem_fixes
WHERE tenant = %(tenant)s AND wide = 0 AND mined >= %(least)s AND substr(key, 1, 5) <> 'here:' AND
  substr(steps, 1, 17) = '["in the command,'
ORDER BY project, fix LIMIT %(limit)s;

-- events_of_fixes --
-- The events that these fixes are made of: what taught them, where they were shown and how they went.
SELECT DISTINCT id FROM mem_recipes WHERE tenant = %(tenant)s AND fix = ANY (%(fixes)s)
UNION SELECT DISTINCT id FROM mem_outcomes WHERE tenant = %(tenant)s AND fix = ANY (%(fixes)s)
UNION SELECT DISTINCT id FROM mem_servings WHERE tenant = %(tenant)s AND fix = ANY (%(fixes)s);

-- servings_since --
-- The events that showed fixes, or held them back, since a time, the newest first.
SELECT DISTINCT time, id, held FROM mem_servings WHERE tenant = %(tenant)s AND time >= %(since)s ORDER BY time DESC, id
  LIMIT %(limit)s;

-- runs_between --
-- Commands of a project that began between two times, in their order; one that was watched inside a call counts once.
SELECT id, started, command, exit, fingerprint, interrupted, cwd FROM mem_calls AS ran
WHERE tenant = %(tenant)s AND project = ANY (%(projects)s) AND started > %(since)s AND started <= %(until)s
  AND command <> '' AND watched < 2
  AND NOT (tool = '' AND EXISTS (
    SELECT 1 FROM mem_calls AS around WHERE around.tenant = ran.tenant AND around.project = ANY (%(projects)s)
      AND around.watched = 1 AND around.started <= ran.started + 2000000 AND around.time >= ran.started))
ORDER BY started, id LIMIT %(limit)s;

-- count_failures --
-- How many commands failed, and at how many of these a fix was shown.
SELECT (SELECT count(*) FROM mem_failures WHERE tenant = %(tenant)s),
  (SELECT count(DISTINCT failure) FROM mem_servings WHERE tenant = %(tenant)s AND held = 0 AND failure <> '');

-- count_seen --
-- How often a failure was seen in these projects, and anywhere; no more of them are looked at than the limit.
SELECT sum(CASE WHEN project = ANY (%(projects)s) THEN 1 ELSE 0 END), count(*) FROM
  (SELECT project FROM mem_failures WHERE tenant = %(tenant)s AND fingerprint = %(fingerprint)s LIMIT %(limit)s) AS seen;

-- common_failures --
-- The failures that come most often: how often, since when and until when.
SELECT fingerprint, max(toolchain), max(error_type), max(message), count(*), min(time), max(time) FROM mem_failures
WHERE tenant = %(tenant)s GROUP BY fingerprint ORDER BY count(*) DESC, fingerprint LIMIT %(limit)s;

-- tried_fixes --
-- The fixes of single failures with the most outcomes.
SELECT fix, sum(worked) + sum(failed) AS tries FROM mem_evidence
WHERE tenant = %(tenant)s AND fix IN (SELECT fix FROM mem_fixes WHERE tenant = %(tenant)s AND wide = 0)
GROUP BY fix ORDER BY tries DESC, fix LIMIT %(limit)s;

-- fixes_by_ids --
-- The fixes with these ids.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM mem_fixes WHERE tenant = %(tenant)s AND fix = ANY (%(fixes)s) ORDER BY fix, project;

-- all_outcomes --
-- Every outcome of the fixes of single failures, in order of time.
SELECT fix, time, provenance, worked, project FROM mem_outcomes
WHERE tenant = %(tenant)s AND fix IN (SELECT fix FROM mem_fixes WHERE tenant = %(tenant)s AND wide = 0) ORDER BY
  time, fix;

-- sources_of --
-- Where the fixes of single failures come from.
SELECT fix, sum(taught)::bigint, sum(mined)::bigint, sum(imported)::bigint, sum(worked)::bigint, sum(failed)::bigint
  FROM mem_fixes
WHERE tenant = %(tenant)s AND wide = 0 GROUP BY fix;

-- insert_lessons --
-- A lesson as it was taught, mined or shared.
INSERT INTO mem_lessons (tenant, project, id, lesson, time, text, tool, command, path, input, output, phase, severity, source, why, risky)
VALUES (%(tenant)s, %(project)s, %(id)s, %(lesson)s, %(time)s, %(text)s, %(tool)s, %(command)s, %(path)s, %(input)s,
  %(output)s, %(phase)s, %(severity)s, %(source)s, %(why)s, %(risky)s);

-- erase_lessons --
-- Takes it away with its event.
DELETE FROM mem_lessons WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_lessons --
-- Empties the table, before a rebuild.
DELETE FROM mem_lessons;

-- dump_lessons --
-- Every lesson.
SELECT tenant, project, id, lesson, time, text, tool, command, path, input, output, phase, severity, source, why, risky
FROM mem_lessons ORDER BY tenant, project, id;

-- insert_lesson_keys --
-- A key under which a lesson waits.
INSERT INTO mem_lesson_keys (tenant, project, id, key)
VALUES (%(tenant)s, %(project)s, %(id)s, %(key)s);

-- erase_lesson_keys --
-- Takes it away with its event.
DELETE FROM mem_lesson_keys WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_lesson_keys --
-- Empties the table, before a rebuild.
DELETE FROM mem_lesson_keys;

-- dump_lesson_keys --
-- Every key.
SELECT tenant, project, id, key
FROM mem_lesson_keys ORDER BY tenant, project, id, key;

-- insert_lesson_marks --
-- What was decided of a lesson.
INSERT INTO mem_lesson_marks (tenant, project, id, lesson, time, state, why)
VALUES (%(tenant)s, %(project)s, %(id)s, %(lesson)s, %(time)s, %(state)s, %(why)s);

-- erase_lesson_marks --
-- Takes it away with its event.
DELETE FROM mem_lesson_marks WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_lesson_marks --
-- Empties the table, before a rebuild.
DELETE FROM mem_lesson_marks;

-- dump_lesson_marks --
-- Every decision.
SELECT tenant, project, id, lesson, time, state, why
FROM mem_lesson_marks ORDER BY tenant, project, id, lesson;

-- insert_firings --
-- That a lesson fired, or was heeded.
INSERT INTO mem_firings (tenant, project, id, lesson, time, session, fired, heeded, ignored, provenance)
VALUES (%(tenant)s, %(project)s, %(id)s, %(lesson)s, %(time)s, %(session)s, %(fired)s, %(heeded)s, %(ignored)s,
  %(provenance)s);

-- erase_firings --
-- Takes it away with its event.
DELETE FROM mem_firings WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_firings --
-- Empties the table, before a rebuild.
DELETE FROM mem_firings;

-- dump_firings --
-- Every firing.
SELECT tenant, project, id, lesson, time, session, fired, heeded, ignored, provenance
FROM mem_firings ORDER BY tenant, project, id, lesson;

-- lesson_keys --
-- The keys of one phase under which any lesson of these projects waits.
SELECT DISTINCT key FROM mem_lesson_keys
WHERE tenant = %(tenant)s AND key >= %(from)s AND key < %(to)s AND project = ANY (%(projects)s);

-- lessons_by_keys --
-- The lessons of these projects that wait under one of these keys, each with what was last decided of it.
SELECT DISTINCT l.project, l.lesson, l.text, l.tool, l.command, l.path, l.input, l.output, l.phase, l.severity,
  l.source, l.risky,
  (SELECT m.state FROM mem_lesson_marks m
    WHERE m.tenant = l.tenant AND m.lesson = l.lesson AND m.project = l.project
    ORDER BY m.state = 'proposed', m.time DESC, m.id DESC LIMIT 1)
FROM mem_lesson_keys k JOIN mem_lessons l ON l.tenant = k.tenant AND l.project = k.project AND l.id = k.id
WHERE k.tenant = %(tenant)s AND k.key = ANY (%(keys)s)
  AND k.project = ANY (%(projects)s)
ORDER BY l.project, l.lesson;

-- lessons_of --
-- The lessons of these projects (none: of all), each with what was last decided of it, when and why.
SELECT l.project, l.lesson, l.text, l.tool, l.command, l.path, l.input, l.output, l.phase, l.severity, l.source,
  l.risky, m.state, min(l.time), m.time, m.why, max(l.why)
FROM mem_lessons l JOIN mem_lesson_marks m ON m.tenant = l.tenant AND m.project = l.project AND m.lesson = l.lesson
WHERE l.tenant = %(tenant)s AND (%(project)s = '' OR l.project = ANY (%(projects)s))
  AND NOT EXISTS (SELECT 1 FROM mem_lesson_marks o
    WHERE o.tenant = m.tenant AND o.lesson = m.lesson AND o.project = m.project
    AND (CASE WHEN o.state = 'proposed' THEN 0 ELSE 1 END, o.time, o.id)
      > (CASE WHEN m.state = 'proposed' THEN 0 ELSE 1 END, m.time, m.id))
GROUP BY l.project, l.lesson, l.text, l.tool, l.command, l.path, l.input, l.output, l.phase, l.severity, l.source,
  l.risky, m.state, m.time, m.why
ORDER BY min(l.time) DESC, l.lesson, l.project;

-- firings_of --
-- How often each of these lessons fired, was heeded and was not, week by week.
SELECT lesson, time / 604800000000, sum(fired), sum(heeded), sum(ignored), max(time) FROM mem_firings
WHERE tenant = %(tenant)s AND lesson = ANY (%(lessons)s)
GROUP BY lesson, time / 604800000000 ORDER BY lesson, time / 604800000000;

-- firings_since --
-- Each time that a lesson fired in a session, since a time.
SELECT id, project, lesson, time, session FROM mem_firings
WHERE tenant = %(tenant)s AND time >= %(since)s AND fired > 0 AND session <> ''
ORDER BY time, id, lesson LIMIT %(limit)s;

-- past_calls --
-- The newest tool calls and commands of these projects.
SELECT e.id, e.time, e.session, e.kind, e.body FROM (
  SELECT l.tenant, l.project, l.id FROM unnest(%(projects)s::text[]) AS p (value) CROSS JOIN LATERAL (
    SELECT * FROM mem_calls AS o WHERE o.tenant = %(tenant)s AND o.project = p.value
    ORDER BY o.started DESC LIMIT %(limit)s) AS l
  ORDER BY l.started DESC LIMIT %(limit)s) AS c
JOIN mem_events e ON e.id = c.id AND e.project = c.project AND e.tenant = c.tenant
ORDER BY e.time DESC, e.id;

-- past_calls_anywhere --
-- The newest tool calls and commands of a tenant.
SELECT id, time, session, kind, body FROM mem_events WHERE tenant = %(tenant)s AND kind IN ('tool.call', 'command')
ORDER BY time DESC, id LIMIT %(limit)s;

-- lessons_by_state --
-- The lessons of which this was decided last, and why.
SELECT DISTINCT l.lesson, l.text, m.why
FROM mem_lesson_marks m JOIN mem_lessons l
  ON l.tenant = m.tenant AND l.project = m.project AND l.lesson = m.lesson
WHERE m.state = %(state)s
  AND NOT EXISTS (SELECT 1 FROM mem_lesson_marks o
    WHERE o.tenant = m.tenant AND o.lesson = m.lesson AND o.project = m.project
    AND (CASE WHEN o.state = 'proposed' THEN 0 ELSE 1 END, o.time, o.id)
      > (CASE WHEN m.state = 'proposed' THEN 0 ELSE 1 END, m.time, m.id))
ORDER BY l.lesson;

-- insert_episodes --
-- What became of a failure.
INSERT INTO mem_episodes (tenant, project, id, time, session, state, fingerprint, family, command, file)
VALUES (%(tenant)s, %(project)s, %(id)s, %(time)s, %(session)s, %(state)s, %(fingerprint)s, %(family)s, %(command)s, %(file)s);

-- erase_episodes --
-- Takes it away with its event.
DELETE FROM mem_episodes WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_episodes --
-- Empties the table, before a rebuild.
DELETE FROM mem_episodes;

-- dump_episodes --
-- Every row.
SELECT tenant, project, id, time, session, state, fingerprint, family, command, file FROM mem_episodes ORDER BY tenant, project, id;

-- episodes_like --
-- In how many sessions of these projects a failure had this fingerprint, family, command or file; of a thousand episodes.
SELECT 'fingerprint', count(DISTINCT session) FROM (SELECT session FROM mem_episodes WHERE tenant = %(tenant)s
  AND project = ANY (%(projects)s) AND fingerprint = %(fingerprint)s LIMIT 1000) AS few
UNION ALL SELECT 'family', count(DISTINCT session) FROM (SELECT session FROM mem_episodes WHERE tenant = %(tenant)s
  AND project = ANY (%(projects)s) AND family = %(family)s LIMIT 1000) AS few
UNION ALL SELECT 'command', count(DISTINCT session) FROM (SELECT session FROM mem_episodes WHERE tenant = %(tenant)s
  AND project = ANY (%(projects)s) AND command = ANY (%(commands)s) LIMIT 1000) AS few
UNION ALL SELECT 'file', count(DISTINCT session) FROM (SELECT session FROM mem_episodes WHERE tenant = %(tenant)s
  AND project = ANY (%(projects)s) AND file = ANY (%(files)s) LIMIT 1000) AS few;

-- learned_by_key --
-- The fixes of a fingerprint or a family that were learned here, the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM mem_fixes WHERE tenant = %(tenant)s AND key = %(key)s AND taught + mined > 0
ORDER BY last DESC, fix, project LIMIT %(limit)s;

-- fixes_by_keys --
-- The fixes under these keys, the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM mem_fixes WHERE tenant = %(tenant)s AND key = ANY (%(keys)s) ORDER BY last DESC, fix, project LIMIT %(limit)s;

-- calls_of_session --
-- The tool calls of a session, in their order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE tenant = %(tenant)s AND project = %(project)s AND session = %(session)s AND kind = 'tool.call'
ORDER BY time, id LIMIT %(limit)s;

-- ids_of_session --
-- The ids of everything that a session has, in whichever projects.
SELECT id FROM mem_events
WHERE session = %(session)s AND session <> '' AND tenant = %(tenant)s AND agent = %(agent)s;

-- said_in_session --
-- How a session began, and what was said in it, in its order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE session = %(session)s AND session <> '' AND tenant = %(tenant)s AND agent = %(agent)s
  AND kind IN ('session.start', 'prompt', 'reply')
ORDER BY time, id, project;

-- events_of_session --
-- Everything of a session, in its order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE session = %(session)s AND session <> '' AND tenant = %(tenant)s AND agent = %(agent)s
ORDER BY time, id, project;

-- arrived_after --
-- What happened since a time and came into the journal behind a place in its order of arrival.
SELECT id, time, tenant, project, session, agent, kind, v, body, seq FROM mem_events
WHERE time >= %(since)s AND seq > %(after)s AND seq <= %(most)s ORDER BY seq LIMIT %(limit)s;

-- changed_after --
-- What of a tenant, of some kinds or of every one, came into the journal behind a place in its order of arrival.
SELECT id, time, tenant, project, session, agent, kind, v, body, seq FROM mem_events
WHERE tenant = %(tenant)s AND seq > %(after)s AND seq <= %(most)s AND (%(every)s = 1 OR kind = ANY(%(kinds)s)) ORDER BY seq LIMIT %(limit)s;

-- settled --
-- Up to which place all has come: nobody who still writes began behind a lower one.
SELECT least((SELECT max(seq) FROM mem_events), (
  SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = 17774 AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
));

-- last_arrived --
-- The place of what came last.
SELECT max(seq) FROM mem_events;

-- list_sessions --
-- Sessions, the latest first, with how much happened in each and what was asked first.
SELECT s.session, s.agent, s.project, s.started, s.ended, s.events,
  (SELECT count(*) FROM mem_prompts AS p WHERE p.tenant = %(tenant)s AND p.session = s.session AND p.agent = s.agent),
  (SELECT count(*) FROM mem_calls AS c WHERE c.tenant = %(tenant)s AND c.session = s.session AND c.agent = s.agent),
  (SELECT count(*) FROM mem_calls AS c WHERE c.tenant = %(tenant)s AND c.session = s.session AND c.agent = s.agent
    AND c.failed = 1),
  (SELECT p.text FROM mem_prompts AS p WHERE p.tenant = %(tenant)s AND p.session = s.session AND p.agent = s.agent
    ORDER BY p.time, p.id LIMIT 1)
FROM (
  SELECT session, agent, min(project) AS project, min(started) AS started, max(ended) AS ended, sum(events) AS events
  FROM mem_sessions AS one
  WHERE tenant = %(tenant)s AND session <> '' AND (%(project)s = '' OR project = ANY (%(projects)s))
    AND (%(agent)s = '' OR agent = %(agent)s)
    AND (%(failed)s = 0 OR EXISTS (SELECT 1 FROM mem_calls AS c WHERE c.tenant = %(tenant)s AND c.session = one.session
      AND c.agent = one.agent AND c.failed = 1))
  GROUP BY session, agent
  HAVING max(ended) >= %(since)s AND min(started) < %(before)s
  ORDER BY max(ended) DESC, session, agent LIMIT %(limit)s
) AS s ORDER BY s.ended DESC, s.session, s.agent;

-- sessions_named --
-- Sessions whose name begins so.
SELECT DISTINCT session, agent FROM mem_sessions
WHERE tenant = %(tenant)s AND session <> '' AND substr(session, 1, length(%(start)s)) = %(start)s
ORDER BY session, agent LIMIT 20;

-- insert_token --
-- A new token.
INSERT INTO mem_tokens (id, tenant, name, agent, scopes, hash, created, expires)
VALUES (%(id)s, %(tenant)s, %(name)s, %(agent)s, %(scopes)s, %(hash)s, %(created)s, %(expires)s);

-- token_by_id --
-- A token by the part of it that is no secret.
SELECT id, tenant, name, agent, scopes, hash, created, expires, revoked, used FROM mem_tokens WHERE id = %(id)s;

-- all_tokens --
-- Every token, the newest first.
SELECT id, tenant, name, agent, scopes, hash, created, expires, revoked, used FROM mem_tokens ORDER BY created DESC, id;

-- revoke_token --
-- From now on a token opens nothing; the first time counts.
UPDATE mem_tokens SET revoked = %(now)s WHERE id = %(id)s AND revoked = 0;

-- touch_token --
-- When a token was last used.
UPDATE mem_tokens SET used = %(now)s WHERE id = %(id)s AND used < %(now)s;

-- insert_audit --
-- One change that came through a server.
INSERT INTO mem_audit (time, tenant, token, address, method, path, status)
VALUES (%(time)s, %(tenant)s, %(token)s, %(address)s, %(method)s, %(path)s, %(status)s);

-- newest_audit --
-- The latest changes of a tenant, before a place in the list.
SELECT seq, time, token, address, method, path, status FROM mem_audit
WHERE tenant = %(tenant)s AND seq < %(before)s ORDER BY seq DESC LIMIT %(limit)s;

-- expire_audit --
-- Forgets changes before a time.
DELETE FROM mem_audit WHERE time < %(before)s;

-- insert_login --
-- A new login or ticket.
INSERT INTO mem_logins (hash, form, tenant, asker, agent, scopes, address, token, ends)
VALUES (%(hash)s, %(form)s, %(tenant)s, %(asker)s, %(agent)s, %(scopes)s, %(address)s, %(token)s, %(ends)s);

-- login_of --
-- A login by the hash of its name, as long as it holds.
SELECT hash, form, tenant, asker, agent, scopes, address, token, ends FROM mem_logins
WHERE hash = %(hash)s AND form = %(form)s AND ends > %(now)s;

-- redeem_login --
-- A ticket by the hash of its text, as long as it holds; whoever asks first has it alone.
DELETE FROM mem_logins WHERE hash = %(hash)s AND form = %(form)s AND ends > %(now)s
RETURNING hash, form, tenant, asker, agent, scopes, address, token, ends;

-- end_login --
-- A login opens nothing any more.
DELETE FROM mem_logins WHERE hash = %(hash)s;

-- expire_logins --
-- Forgets those that have ended, and of one who asks all but the last so many.
DELETE FROM mem_logins WHERE ends <= %(now)s OR hash IN (
  SELECT hash FROM mem_logins WHERE tenant = %(tenant)s AND asker = %(asker)s ORDER BY ends DESC, hash OFFSET %(most)s
);

-- latest_events --
-- The events of a tenant before a place in the journal's order, the latest first; an empty condition means any.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE tenant = %(tenant)s
  AND (%(project)s = '' OR project = ANY(%(projects)s))
  AND (%(kind)s = '' OR kind = %(kind)s)
  AND (%(session)s = '' OR session = %(session)s)
  AND (time < %(time)s OR (time = %(time)s AND id < %(id)s))
ORDER BY time DESC, id DESC LIMIT %(limit)s;

-- vector_tables --
-- The tables of vectors, in the order that they were made.
SELECT number, model, dimension, stamp, erased, scrubbed FROM mem_vector_tables ORDER BY number;

-- add_vector_table --
-- Says that a table of vectors was made, in its own transaction.
INSERT INTO mem_vector_tables (number, model, dimension, stamp) VALUES (%(number)s, %(model)s, %(dimension)s, %(stamp)s);

-- remove_vector_table --
-- Says that a table of vectors is gone.
DELETE FROM mem_vector_tables WHERE number = %(number)s;

-- erased_vectors --
-- Says that vectors of a table went.
UPDATE mem_vector_tables SET erased = erased + 1 WHERE number = %(number)s;

-- scrubbed_vectors --
-- Says that no byte is left of vectors that went before.
UPDATE mem_vector_tables SET scrubbed = %(erased)s WHERE number = %(number)s AND scrubbed < %(erased)s;

-- vector_plan --
-- How far texts are in line for a model, and what embedding some of the latest took.
SELECT planned, texts, seconds FROM mem_vector_plans WHERE model = %(model)s;

-- set_vector_plan --
-- Says how far texts are in line for a model.
INSERT INTO mem_vector_plans (model, planned) VALUES (%(model)s, %(planned)s)
ON CONFLICT (model) DO UPDATE SET planned = excluded.planned;

-- clock_vectors --
-- Says what embedding took; what was long ago counts less.
UPDATE mem_vector_plans SET texts = texts * 0.9 + %(texts)s, seconds = seconds * 0.9 + %(seconds)s WHERE model = %(model)s;

-- count_told --
-- How many events of these kinds there are.
SELECT count(*) FROM mem_events
WHERE kind NOT IN ('tool.call', 'command') AND kind = ANY (%(kinds)s);

-- pieces_told --
-- Events of these kinds that arrived behind a place, in pieces of a size: the first and the last place of each.
SELECT min(seq), max(seq) FROM (
  SELECT seq, (row_number() OVER (ORDER BY seq) - 1) / %(size)s AS piece FROM mem_events
  WHERE kind NOT IN ('tool.call', 'command') AND kind = ANY (%(kinds)s) AND seq > %(after)s
) AS told GROUP BY piece ORDER BY piece;

-- told_without_vector --
-- Events of these kinds between two places that have no vector in a table yet, the newest first.
SELECT e.id, e.time, e.tenant, e.project, e.session, e.agent, e.kind, e.v, e.body FROM mem_events AS e
WHERE e.kind NOT IN ('tool.call', 'command') AND e.kind = ANY (%(kinds)s)
  AND e.seq BETWEEN %(first)s AND %(last)s
  AND NOT EXISTS (SELECT 1 FROM mem_vectors_@ AS v WHERE v.id = e.id AND v.project = e.project AND v.tenant = e.tenant)
ORDER BY e.seq DESC;

-- vectors_known --
-- Which of these texts have a vector, by their hashes.
SELECT DISTINCT hash FROM mem_vectors_@ WHERE hash = ANY (%(hashes)s);

-- insert_vectors --
-- The vector of an event that is still there, or of a part of it: 0 is the whole.
INSERT INTO mem_vectors_@ (tenant, project, id, kind, hash, part, vector)
SELECT %(tenant)s, %(project)s, %(id)s, %(kind)s, %(hash)s, %(part)s, %(vector)s::halfvec
WHERE EXISTS (SELECT 1 FROM mem_events WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s)
ON CONFLICT DO NOTHING RETURNING 1;

-- copy_vectors --
-- For an event that is still there: a vector that the same text has already, or a part of it.
INSERT INTO mem_vectors_@ (tenant, project, id, kind, hash, part, vector)
SELECT %(tenant)s, %(project)s, %(id)s, %(kind)s, hash, part, vector FROM mem_vectors_@
WHERE hash = %(hash)s AND part = %(part)s
  AND EXISTS (SELECT 1 FROM mem_events WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s)
LIMIT 1 ON CONFLICT DO NOTHING RETURNING 1;

-- erase_vectors --
-- Takes away the vector of an event.
DELETE FROM mem_vectors_@ WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s RETURNING 1;

-- count_vectors --
-- How many events have been looked at for a table.
SELECT count(*) FROM mem_vectors_@ WHERE part = 0;

-- put_back_job --
-- The job was begun and left for later: that was no try. Only its holder may say so.
UPDATE mem_jobs SET holder = '', until = 0, tries = greatest(tries - 1, 0)
WHERE tenant = %(tenant)s AND project = %(project)s AND kind = %(kind)s AND key = %(key)s AND holder = %(holder)s;

-- revive_jobs_of --
-- Gives the dead jobs of a kind their tries back.
UPDATE mem_jobs SET state = 'waiting', tries = 0, due = %(now)s, holder = '', until = 0 WHERE state = 'dead' AND kind = %(kind)s;

-- drop_jobs_of --
-- Takes the jobs of a kind out of the line.
DELETE FROM mem_jobs WHERE kind = %(kind)s;

-- waiting_of --
-- Which jobs of a kind wait.
SELECT tenant, project, key FROM mem_jobs WHERE kind = %(kind)s AND state = 'waiting' ORDER BY tenant, project, key;

-- expiring --
-- Events of a kind before a time that nothing rests on, the oldest first: no failure, and of no session with an episode.
SELECT tenant, project, id FROM mem_events AS e
WHERE kind = %(kind)s AND time < %(before)s
  AND NOT EXISTS (SELECT 1 FROM mem_failures AS f WHERE f.tenant = e.tenant AND f.project = e.project AND f.id = e.id)
  AND NOT EXISTS (SELECT 1 FROM mem_episodes AS h WHERE h.tenant = e.tenant AND h.session = e.session AND h.session <> '')
ORDER BY time, id LIMIT %(limit)s;

-- size_of_kind --
-- How many characters the bodies of a kind have.
SELECT sum(length(body)) FROM mem_events WHERE kind = %(kind)s;

-- size_cut --
-- The time of the latest event of a kind behind which, counted from the newest, there are too many characters.
SELECT max(time) FROM (
  SELECT time, sum(length(body)) OVER (ORDER BY time DESC, id DESC ROWS UNBOUNDED PRECEDING) AS characters
  FROM mem_events WHERE kind = %(kind)s
) AS sized WHERE characters > %(most)s;

-- oldest_due --
-- Since when the job that has waited longest has been due; one that is worked on does not wait.
SELECT min(due) FROM mem_jobs WHERE state = 'waiting' AND holder = '';

-- renew_job --
-- Its holder is still at it.
UPDATE mem_jobs SET until = %(until)s
WHERE tenant = %(tenant)s AND project = %(project)s AND kind = %(kind)s AND key = %(key)s AND holder = %(holder)s;

-- job_holders --
-- Who holds jobs of a kind.
SELECT DISTINCT holder FROM mem_jobs WHERE kind = %(kind)s AND holder <> '';

-- free_jobs --
-- Whoever held these is gone; that was no try.
UPDATE mem_jobs SET holder = '', until = 0, tries = greatest(tries - 1, 0)
WHERE holder = %(holder)s AND state = 'waiting';

-- last_error --
-- What went wrong last with a job of a kind.
SELECT error FROM mem_jobs WHERE kind = %(kind)s AND error <> '' ORDER BY due DESC, key LIMIT 1;

-- insert_patterns --
-- A pattern as it was taught, or that one was followed.
INSERT INTO mem_patterns (tenant, project, id, pattern, time, form, name, description, example,
  uses, avoid, area, source, told)
VALUES (%(tenant)s, %(project)s, %(id)s, %(pattern)s, %(time)s, %(form)s, %(name)s, %(description)s, %(example)s,
  %(uses)s, %(avoid)s, %(area)s, %(source)s, %(told)s);

-- erase_patterns --
-- Takes it away with its event.
DELETE FROM mem_patterns WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_patterns --
-- Empties the table, before a rebuild.
DELETE FROM mem_patterns;

-- dump_patterns --
-- Every row.
SELECT tenant, project, id, pattern, time, form, name, description, example, uses, avoid, area, source, told
FROM mem_patterns ORDER BY tenant, project, id;

-- patterns_counted --
-- The patterns of these projects (none: of all), the most often seen first: how often, since when and until when.
SELECT pattern, count(*), min(time), max(time) FROM mem_patterns
WHERE tenant = %(tenant)s AND (%(project)s = '' OR project = ANY (%(projects)s))
  AND pattern IN (SELECT said.pattern FROM mem_patterns said WHERE said.tenant = %(tenant)s AND said.told = 1
    AND (%(project)s = '' OR said.project = ANY (%(projects)s))
    AND (%(form)s = '' OR said.form = %(form)s))
GROUP BY pattern ORDER BY count(*) DESC, max(time) DESC, pattern LIMIT %(limit)s;

-- patterns_seen --
-- How often each of these patterns was seen, since when and until when.
SELECT pattern, count(*), min(time), max(time) FROM mem_patterns
WHERE tenant = %(tenant)s AND pattern = ANY (%(patterns)s) GROUP BY pattern ORDER BY pattern;

-- patterns_told --
-- What was said of these patterns, the last first.
SELECT pattern, project, form, name, description, example, uses, avoid, area, source FROM mem_patterns
WHERE tenant = %(tenant)s AND told = 1 AND pattern = ANY (%(patterns)s)
ORDER BY time DESC, id DESC, project;

-- patterns_like --
-- Which of these words stand in which patterns of these projects (none: of all).
SELECT DISTINCT k.word, p.pattern
FROM mem_pattern_words k JOIN mem_patterns p ON p.tenant = k.tenant AND p.project = k.project AND p.id = k.id
WHERE k.tenant = %(tenant)s AND k.word = ANY (%(words)s) AND (%(form)s = '' OR p.form = %(form)s)
  AND (%(project)s = '' OR k.project = ANY (%(projects)s))
ORDER BY k.word, p.pattern LIMIT %(limit)s;

-- insert_pattern_words --
-- A word that a pattern is about.
INSERT INTO mem_pattern_words (tenant, project, id, word)
VALUES (%(tenant)s, %(project)s, %(id)s, %(word)s);

-- erase_pattern_words --
-- Takes it away with its event.
DELETE FROM mem_pattern_words WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_pattern_words --
-- Empties the table, before a rebuild.
DELETE FROM mem_pattern_words;

-- dump_pattern_words --
-- Every word.
SELECT tenant, project, id, word FROM mem_pattern_words ORDER BY tenant, project, id, word;

-- patterns_by_events --
-- Which pattern these events taught.
SELECT id, pattern FROM mem_patterns
WHERE tenant = %(tenant)s AND told = 1 AND id = ANY (%(ids)s) ORDER BY id;

-- patterns_by_prefix --
-- The patterns whose id begins so.
SELECT DISTINCT pattern FROM mem_patterns
WHERE tenant = %(tenant)s AND told = 1 AND pattern >= %(prefix)s AND pattern < %(beyond)s ORDER BY pattern LIMIT %(limit)s;

-- events_of_patterns --
-- The events that these patterns are made of.
SELECT DISTINCT id FROM mem_patterns
WHERE tenant = %(tenant)s AND pattern = ANY (%(patterns)s) ORDER BY id;

-- used_files --
-- The files that calls in these projects named, the last used first: how often, in how many sessions, changed how often.
SELECT path, count(*), count(DISTINCT session),
  sum(CASE WHEN tool = ANY (%(editors)s) THEN 1 ELSE 0 END),
  min(time), max(time)
FROM mem_calls WHERE tenant = %(tenant)s AND project = ANY (%(projects)s) AND path <> '' AND failed = 0
GROUP BY path ORDER BY max(time) DESC, path LIMIT %(limit)s;

-- recurring_failures --
-- The failures that came more than once in these projects: how often, in how many sessions, when last, and the last one.
SELECT f.fingerprint, max(f.toolchain), max(f.error_type), max(f.message), count(*), count(DISTINCT c.session), max(f.time),
  (SELECT l.id FROM mem_failures l WHERE l.tenant = %(tenant)s AND l.fingerprint = f.fingerprint
    AND l.project = ANY (%(projects)s) ORDER BY l.time DESC, l.id LIMIT 1)
FROM mem_failures f LEFT JOIN mem_calls c ON c.tenant = f.tenant AND c.project = f.project AND c.id = f.id
WHERE f.tenant = %(tenant)s AND f.project = ANY (%(projects)s) AND f.time >= %(since)s
GROUP BY f.fingerprint HAVING count(*) >= %(least)s
ORDER BY count(*) DESC, max(f.time) DESC, f.fingerprint LIMIT %(limit)s;

-- last_commands --
-- The last commands that ran in these projects, and how they ended.
SELECT command, cwd, exit, failed, time FROM mem_calls
WHERE tenant = %(tenant)s AND project = ANY (%(projects)s) AND command <> '' AND interrupted = 0
  AND refused = 0
ORDER BY started DESC, id LIMIT %(limit)s;

-- Team memory

-- ids_of_kind --
-- The events of a kind in these projects, in order.
SELECT id FROM mem_events
WHERE project = ANY (%(projects)s) AND kind = %(kind)s AND tenant = %(tenant)s ORDER BY time, id;

-- What pages show

-- add_days --
-- Counts new events into their day.
INSERT INTO mem_days (tenant, project, day, kind, events)
VALUES (%(tenant)s, %(project)s, %(day)s, %(kind)s, %(events)s)
ON CONFLICT (tenant, project, day, kind) DO UPDATE SET events = mem_days.events + excluded.events;

-- unfold_days --
-- Takes the counts of a project's days away, to count them again.
DELETE FROM mem_days WHERE tenant = %(tenant)s AND project = %(project)s;

-- fold_days --
-- Counts the days of a project from the journal.
INSERT INTO mem_days (tenant, project, day, kind, events)
SELECT tenant, project, time / 86400000000, kind, count(*) FROM mem_events
WHERE tenant = %(tenant)s AND project = %(project)s
GROUP BY tenant, project, time / 86400000000, kind;

-- clear_days --
-- Empties the days, before a rebuild.
DELETE FROM mem_days;

-- dump_days --
-- Every day of every project.
SELECT tenant, project, day, kind, events FROM mem_days ORDER BY tenant, project, day, kind;

-- failures_by_week --
-- How many commands failed in each week since a time.
SELECT time / 604800000000 AS week, count(*) FROM mem_failures WHERE tenant = %(tenant)s AND time >= %(since)s
GROUP BY week ORDER BY week;

-- servings_by_week --
-- At how many failures of each week a fix was shown, and held back.
SELECT time / 604800000000 AS week, count(DISTINCT CASE WHEN held = 0 THEN id END), count(DISTINCT CASE WHEN held = 1 THEN id END)
FROM mem_servings WHERE tenant = %(tenant)s AND time >= %(since)s GROUP BY week ORDER BY week;

-- outcomes_by_week --
-- How often fixes worked and failed in each week.
SELECT week, (sum(worked))::bigint, (sum(failed))::bigint FROM mem_evidence
WHERE tenant = %(tenant)s AND week >= %(since)s AND fix IN (SELECT fix FROM mem_fixes WHERE tenant = %(tenant)s AND wide = 0)
GROUP BY week ORDER BY week;

-- failures_ranked --
-- The kinds of failure since a time, the most frequent first: how often, since when and until when.
SELECT fingerprint, count(*), min(time), max(time) FROM mem_failures
WHERE tenant = %(tenant)s AND time >= %(since)s AND (%(project)s = '' OR project = ANY (%(projects)s))
  AND (%(toolchain)s = '' OR toolchain = %(toolchain)s) AND (%(words)s = '' OR strpos(lower(message), lower(%(words)s)) > 0)
GROUP BY fingerprint ORDER BY count(*) DESC, max(time) DESC, fingerprint LIMIT %(limit)s OFFSET %(offset)s;

-- failures_counted --
-- All kinds of failure, the most frequent first: how often, since when and until when.
SELECT fingerprint, count(*), min(time), max(time) FROM mem_failures WHERE tenant = %(tenant)s
GROUP BY fingerprint ORDER BY count(*) DESC, max(time) DESC, fingerprint LIMIT %(limit)s OFFSET %(offset)s;

-- failures_told --
-- What the latest of each of these failures said.
SELECT f.fingerprint, f.family, f.toolchain, f.error_type, f.message, f.project, f.id
FROM unnest(%(fingerprints)s::text[]) AS k (value) CROSS JOIN LATERAL (
  SELECT * FROM mem_failures l WHERE l.tenant = %(tenant)s AND l.fingerprint = k.value
  ORDER BY l.time DESC, l.id DESC, l.project DESC LIMIT 1) AS f
ORDER BY f.fingerprint;

-- failures_weekly --
-- How often each of these failures came in each week since a time.
SELECT fingerprint, time / 604800000000 AS week, count(*) FROM mem_failures
WHERE tenant = %(tenant)s AND fingerprint = ANY (%(fingerprints)s) AND time >= %(since)s
GROUP BY fingerprint, week ORDER BY fingerprint, week;

-- toolchains --
-- The tools that failed, the most frequent first.
SELECT toolchain, count(*) FROM mem_failures WHERE tenant = %(tenant)s
GROUP BY toolchain ORDER BY count(*) DESC, toolchain;

-- failures_like --
-- When and where one failure came, the latest first.
SELECT project, id, time FROM mem_failures WHERE tenant = %(tenant)s AND fingerprint = %(fingerprint)s
ORDER BY time DESC, id LIMIT %(limit)s;

-- episodes_of --
-- What became of one failure, the latest first.
SELECT project, id, time, session, state, command, file FROM mem_episodes
WHERE tenant = %(tenant)s AND fingerprint = %(fingerprint)s ORDER BY time DESC, id LIMIT %(limit)s;

-- outcomes_of --
-- How fixes went, each time, the latest first.
SELECT fix, time, provenance, worked, failed, project, id FROM mem_outcomes
WHERE tenant = %(tenant)s AND fix = ANY (%(fixes)s) ORDER BY time DESC, id LIMIT %(limit)s;

-- failures_named --
-- The kinds of failure whose fingerprint begins so: how often, since when and until when.
SELECT fingerprint, count(*), min(time), max(time) FROM mem_failures
WHERE tenant = %(tenant)s AND fingerprint >= %(start)s AND fingerprint < %(beyond)s
GROUP BY fingerprint ORDER BY fingerprint LIMIT %(limit)s;

-- failures_begin --
-- The failures whose fingerprint begins so, each with its family.
SELECT DISTINCT fingerprint, family FROM mem_failures
WHERE tenant = %(tenant)s AND fingerprint >= %(start)s AND fingerprint < %(beyond)s ORDER BY fingerprint, family LIMIT %(limit)s;

-- failures_keyed --
-- When and where one failure came in these projects, or anywhere, the latest first.
SELECT project, id FROM mem_failures WHERE tenant = %(tenant)s AND fingerprint = %(key)s
  AND (%(anywhere)s OR project = ANY (%(projects)s)) ORDER BY time DESC, id LIMIT %(limit)s;

-- recipes_keyed --
-- The events that taught last each fix that helps against a failure in these projects, or anywhere, the latest first.
SELECT project, id FROM (
  SELECT r.project, r.id, r.time, row_number() OVER (PARTITION BY r.fix ORDER BY r.time DESC, r.id, r.project) AS place
  FROM mem_fixes AS f JOIN mem_recipes AS r ON r.tenant = f.tenant AND r.fix = f.fix AND r.project = f.project
  WHERE f.tenant = %(tenant)s AND f.key = %(key)s AND (%(anywhere)s OR f.project = ANY (%(projects)s))
) AS told WHERE place = 1 ORDER BY time DESC, id, project LIMIT %(limit)s;

-- fixes_of_failure --
-- The fixes that are kept for one failure or for its family.
SELECT DISTINCT fix FROM mem_fixes WHERE tenant = %(tenant)s AND key IN (%(fingerprint)s, %(family)s)
ORDER BY fix LIMIT %(limit)s;

-- fixes_known_for --
-- How many fixes are kept for each of these failures and families.
SELECT key, count(DISTINCT fix) FROM mem_fixes
WHERE tenant = %(tenant)s AND key = ANY (%(keys)s) GROUP BY key ORDER BY key;

-- fixes_of_events --
-- The fixes that these events taught, those for a single failure first.
SELECT DISTINCT fix, wide FROM mem_recipes WHERE tenant = %(tenant)s AND id = ANY (%(ids)s)
ORDER BY wide, fix;

-- outcomes_counted --
-- How often fixes of single failures worked and failed, by who says so.
SELECT provenance, sum(worked), sum(failed) FROM mem_evidence
WHERE tenant = %(tenant)s AND fix IN (SELECT fix FROM mem_fixes WHERE tenant = %(tenant)s AND wide = 0)
GROUP BY provenance ORDER BY provenance;

-- count_kinds_of --
-- How many events of each kind a tenant has.
SELECT kind, sum(events) AS number FROM mem_days WHERE tenant = %(tenant)s GROUP BY kind ORDER BY number DESC, kind;

-- calls_between --
-- What was done in a session between two times, in its order.
SELECT id, started, tool, command, path, exit, failed FROM mem_calls
WHERE tenant = %(tenant)s AND session = %(session)s AND started >= %(since)s AND started <= %(until)s
ORDER BY started, id LIMIT %(limit)s;

-- agents_heard --
-- Every agent with sessions, and when the last of these ended.
SELECT agent, max(ended) FROM mem_sessions WHERE tenant = %(tenant)s GROUP BY agent ORDER BY agent;

-- count_redactions_of --
-- How often each rule took something out of what a tenant told.
SELECT rule, sum(number) FROM mem_redactions WHERE tenant = %(tenant)s GROUP BY rule ORDER BY sum(number) DESC, rule;

-- insert_tasks --
-- What an event tells of a task.
INSERT INTO mem_tasks (tenant, project, id, task, time, session, agent, started, outcome, told)
VALUES (%(tenant)s, %(project)s, %(id)s, %(task)s, %(time)s, %(session)s, %(agent)s, %(started)s, %(outcome)s, %(told)s);

-- erase_tasks --
-- Takes it away with its event.
DELETE FROM mem_tasks WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_tasks --
-- Empties the table, before a rebuild.
DELETE FROM mem_tasks;

-- dump_tasks --
-- Every row.
SELECT tenant, project, id, task, time, session, agent, started, outcome, told FROM mem_tasks ORDER BY tenant, project, id;

-- insert_task_words --
-- A word that a task is about.
INSERT INTO mem_task_words (tenant, project, id, word, task, time)
VALUES (%(tenant)s, %(project)s, %(id)s, %(word)s, %(task)s, %(time)s);

-- erase_task_words --
-- Takes it away with its event.
DELETE FROM mem_task_words WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_task_words --
-- Empties the table, before a rebuild.
DELETE FROM mem_task_words;

-- dump_task_words --
-- Every word.
SELECT tenant, project, id, word, task, time FROM mem_task_words ORDER BY tenant, project, id, word;

-- insert_task_uses --
-- That a strategy was shown or followed.
INSERT INTO mem_task_uses (tenant, project, id, task, time, session, about, followed)
VALUES (%(tenant)s, %(project)s, %(id)s, %(task)s, %(time)s, %(session)s, %(about)s, %(followed)s);

-- erase_task_uses --
-- Takes it away with its event.
DELETE FROM mem_task_uses WHERE tenant = %(tenant)s AND project = %(project)s AND id = %(id)s;

-- clear_task_uses --
-- Empties the table, before a rebuild.
DELETE FROM mem_task_uses;

-- dump_task_uses --
-- Every use.
SELECT tenant, project, id, task, time, session, about, followed FROM mem_task_uses ORDER BY tenant, project, id, task;

-- tasks_told --
-- What is told of these tasks.
SELECT task, id, project, session, agent, started, time, told FROM mem_tasks
WHERE tenant = %(tenant)s AND task = ANY (%(tasks)s) ORDER BY task, time DESC, id DESC, project;

-- tasks_latest --
-- The tasks of these projects (none: of all), those that were told of last first.
SELECT task, max(time) FROM mem_tasks WHERE tenant = %(tenant)s AND (%(project)s = '' OR project = ANY (%(projects)s))
GROUP BY task ORDER BY max(time) DESC, task LIMIT %(limit)s OFFSET %(offset)s;

-- tasks_number --
-- How many events tell of tasks in these projects (none: in all).
SELECT count(*) FROM mem_tasks WHERE tenant = %(tenant)s AND (%(project)s = '' OR project = ANY (%(projects)s));

-- tasks_with_word --
-- The tasks of a project that a word is about, the latest first.
SELECT task FROM mem_task_words
WHERE tenant = %(tenant)s AND word = %(word)s AND project = %(project)s ORDER BY time DESC, task DESC LIMIT %(limit)s;

-- tasks_with_word_anywhere --
-- The tasks of any project that a word is about.
SELECT task FROM mem_task_words
WHERE tenant = %(tenant)s AND word = %(word)s ORDER BY project, time DESC, task DESC LIMIT %(limit)s;

-- tasks_by_events --
-- Which task these events tell of.
SELECT id, task FROM mem_tasks WHERE tenant = %(tenant)s AND id = ANY (%(ids)s) ORDER BY id;

-- tasks_by_prefix --
-- The tasks whose id begins so.
SELECT DISTINCT task FROM mem_tasks
WHERE tenant = %(tenant)s AND task >= %(prefix)s AND task < %(beyond)s ORDER BY task LIMIT %(limit)s;

-- tasks_used --
-- How often these strategies were shown and followed.
SELECT task, count(DISTINCT CASE WHEN followed = 0 THEN id END),
  count(DISTINCT CASE WHEN followed = 1 THEN about END) FROM mem_task_uses
WHERE tenant = %(tenant)s AND task = ANY (%(tasks)s) GROUP BY task ORDER BY task;

-- tasks_shown --
-- Which strategies were shown in these projects in a time, for which task and in which session.
SELECT task, about, session FROM mem_task_uses
WHERE tenant = %(tenant)s AND project = ANY (%(projects)s) AND time BETWEEN %(since)s AND %(until)s AND followed = 0 AND task <> ''
ORDER BY time, id, task;

-- task_uses_counted --
-- How often strategies were shown in these projects (none: in all), questions had no answer, and strategies were followed.
SELECT count(DISTINCT CASE WHEN followed = 0 AND task <> '' THEN id END),
  count(DISTINCT CASE WHEN followed = 0 AND task = '' THEN id END),
  count(DISTINCT CASE WHEN followed = 1 THEN about END)
FROM mem_task_uses WHERE tenant = %(tenant)s AND (%(project)s = '' OR project = ANY (%(projects)s));

-- task_without_vector --
-- Whether some task came behind what is in line for a model, or waits in it.
SELECT 1 WHERE EXISTS (SELECT 1 FROM mem_jobs WHERE kind = %(job)s AND state = 'waiting') OR EXISTS (
  SELECT 1 FROM mem_events WHERE kind = 'task' AND kind NOT IN ('tool.call', 'command')
  AND seq > coalesce((SELECT max(planned) FROM mem_vector_plans WHERE model = %(model)s), 0));

-- talk_of_session --
-- What was asked and said in a session, in a project, and that it ended.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE tenant = %(tenant)s AND project = %(project)s AND session = %(session)s
  AND session <> '' AND kind IN ('prompt', 'reply', 'session.end')
ORDER BY time, id LIMIT %(limit)s;

-- how_fixes_went --
-- Of events that taught a fix: how often it worked and failed since.
SELECT r.id, sum(o.worked), sum(o.failed) FROM mem_recipes AS r
JOIN mem_outcomes AS o ON o.tenant = r.tenant AND o.fix = r.fix
WHERE r.tenant = %(tenant)s AND r.id = ANY (%(ids)s) GROUP BY r.id;

-- states_of_lessons --
-- Of events that taught a rule: what was decided of it last.
SELECT id, state FROM (
  SELECT l.id, m.state, row_number() OVER (PARTITION BY l.id ORDER BY m.time DESC, m.id DESC) AS place
  FROM mem_lessons AS l JOIN mem_lesson_marks AS m ON m.tenant = l.tenant AND m.lesson = l.lesson
  WHERE l.tenant = %(tenant)s AND l.id = ANY (%(ids)s)
) AS decided WHERE place = 1;

-- vectors_of_events --
-- The vectors of these events, whole and in parts.
SELECT tenant, project, id, part, halfvec_send(vector) FROM mem_vectors_@
WHERE tenant = ANY (%(tenants)s) AND project = ANY (%(projects)s) AND id = ANY (%(ids)s) AND vector IS NOT NULL
ORDER BY tenant, project, id, part;

-- files_of_sessions --
-- The files that sessions of these projects changed, the latest first.
SELECT session, path, max(time) FROM mem_calls
WHERE tenant = %(tenant)s AND project = ANY (%(projects)s) AND path <> '' AND failed = 0 AND session <> '' AND tool = ANY (%(editors)s)
GROUP BY session, path ORDER BY max(time) DESC, path LIMIT %(limit)s;

-- asked_in_sessions --
-- What was asked in these sessions, in order of time.
SELECT session, id, text FROM mem_prompts WHERE tenant = %(tenant)s AND session = ANY (%(sessions)s) ORDER BY time, id;

-- events_until --
-- What happened in these projects until a moment, the latest first.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE tenant = %(tenant)s AND project = ANY (%(projects)s) AND kind <> ALL (%(without)s) AND (time, id) <= (%(time)s, %(id)s)
ORDER BY time DESC, id DESC LIMIT %(limit)s;

-- events_since --
-- What happened in these projects after a moment.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM mem_events
WHERE tenant = %(tenant)s AND project = ANY (%(projects)s) AND kind <> ALL (%(without)s) AND (time, id) > (%(time)s, %(id)s)
ORDER BY time ASC, id ASC LIMIT %(limit)s;
