-- version --
-- How many migrations the store has seen; read in every transaction that writes.
SELECT count(*), max(name) FROM migrations;

-- migrated --
-- The migrations that the store has seen.
SELECT name FROM migrations ORDER BY name;

-- record_migration --
-- Says that a migration was applied, in its own transaction.
INSERT INTO migrations (name, time) VALUES (:name, :time);

-- insert_event --
-- Adds an event unless it is there.
INSERT INTO events (tenant, project, id, time, session, agent, kind, v, body)
VALUES (:tenant, :project, :id, :time, :session, :agent, :kind, :v, :body)
ON CONFLICT DO NOTHING;

-- erase_events --
-- Takes one event out of the journal.
DELETE FROM events WHERE tenant = :tenant AND project = :project AND id = :id;

-- events_by_ids --
-- The events with these ids, wherever they happened.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY time, id, project, tenant;

-- all_events --
-- The whole journal in its order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events ORDER BY time, id, project, tenant;

-- events_after --
-- The events of a tenant behind a place in the journal's order, in that order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE tenant = :tenant AND (time, id, project) > (:time, :id, :project) ORDER BY time, id, project LIMIT :limit;

-- chosen_events --
-- Keys of the events that a choice names; an empty choice of a kind means any.
SELECT tenant, project, id FROM events
WHERE (:session = '' OR session = :session)
  AND (:project = '' OR project IN (SELECT value FROM json_each(:projects)))
  AND (:before = 0 OR time < :before)
  AND (:matching = '' OR instr(body, :matching) > 0)
  AND kind <> 'forget'
ORDER BY time, id, project, tenant;

-- count_events --
-- How many events there are, and when the first and the last happened.
SELECT count(*), min(time), max(time) FROM events;

-- count_kinds --
-- How many events of each kind there are.
SELECT kind, sum(events) AS number FROM days GROUP BY kind ORDER BY number DESC, kind;

-- tombstones_of --
-- Which of these ids were forgotten.
SELECT DISTINCT tenant, target FROM tombstones WHERE target IN (SELECT value FROM json_each(:ids));

-- insert_documents --
-- The text of an event, for full-text search.
INSERT INTO documents (tenant, project, id, text, names, place)
VALUES (:tenant, :project, :id, :text, :names, :place);

-- erase_documents --
-- Takes the text of an event out of the index.
DELETE FROM documents WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_documents --
-- Empties the index, before a rebuild.
DELETE FROM documents;

-- dump_documents --
-- Every document.
SELECT tenant, project, id, text, names, place FROM documents ORDER BY tenant, project, id;

-- insert_notes --
-- A note.
INSERT INTO notes (tenant, project, id, time, text, tags) VALUES (:tenant, :project, :id, :time, :text, :tags);

-- erase_notes --
-- Takes a note away with its event.
DELETE FROM notes WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_notes --
-- Empties the notes, before a rebuild.
DELETE FROM notes;

-- dump_notes --
-- Every note.
SELECT tenant, project, id, time, text, tags FROM notes ORDER BY tenant, project, id;

-- insert_places --
-- Where a project was seen.
INSERT INTO places (tenant, project, id, time, name, root, remote)
VALUES (:tenant, :project, :id, :time, :name, :root, :remote);

-- erase_places --
-- Takes a place away with its event.
DELETE FROM places WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_places --
-- Empties the places, before a rebuild.
DELETE FROM places;

-- dump_places --
-- Every place.
SELECT tenant, project, id, time, name, root, remote FROM places ORDER BY tenant, project, id;

-- insert_merges --
-- A project that is another one.
INSERT INTO merges (tenant, project, id, time, target) VALUES (:tenant, :project, :id, :time, :target);

-- erase_merges --
-- Takes a merge away with its event.
DELETE FROM merges WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_merges --
-- Empties the merges, before a rebuild.
DELETE FROM merges;

-- dump_merges --
-- Every merge.
SELECT tenant, project, id, time, target FROM merges ORDER BY tenant, project, id;

-- insert_tombstones --
-- An id that was forgotten.
INSERT INTO tombstones (tenant, project, id, target) VALUES (:tenant, :project, :id, :target)
ON CONFLICT DO NOTHING;

-- erase_tombstones --
-- Takes the tombstones of one forget away, when another version of that event replaces it.
DELETE FROM tombstones WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_tombstones --
-- Empties the tombstones, before a rebuild.
DELETE FROM tombstones;

-- dump_tombstones --
-- Every tombstone.
SELECT tenant, project, id, target FROM tombstones ORDER BY tenant, project, id, target;

-- insert_bodies --
-- What an event carried, apart from the journal.
INSERT INTO bodies (tenant, project, id, time, text) VALUES (:tenant, :project, :id, :time, :text)
ON CONFLICT DO NOTHING;

-- erase_bodies --
-- Takes away what an event carried.
DELETE FROM bodies WHERE tenant = :tenant AND project = :project AND id = :id;

-- expire_bodies --
-- Takes away what events before a time carried.
DELETE FROM bodies WHERE time < :before;

-- bodies_by_ids --
-- What the events with these ids carried.
SELECT tenant, project, id, text FROM bodies
WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY time, id, project, tenant;

-- count_bodies --
-- How many bodies there are, since when, and how many characters that is.
SELECT count(*), min(time), sum(length(text)) FROM bodies;

-- insert_redactions --
-- How often a rule took something out of an event.
INSERT INTO redactions (tenant, project, id, rule, number) VALUES (:tenant, :project, :id, :rule, :number);

-- erase_redactions --
-- Takes these counts away with their event.
DELETE FROM redactions WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_redactions --
-- Empties the counts, before a rebuild.
DELETE FROM redactions;

-- dump_redactions --
-- Every count.
SELECT tenant, project, id, rule, number FROM redactions ORDER BY tenant, project, id, rule;

-- count_redactions --
-- How often each rule took something out.
SELECT rule, sum(number) FROM redactions GROUP BY rule ORDER BY sum(number) DESC, rule;

-- add_sessions --
-- Counts new events into their session.
INSERT INTO sessions (tenant, project, session, agent, started, ended, events)
VALUES (:tenant, :project, :session, :agent, :started, :ended, :events)
ON CONFLICT (tenant, project, session, agent) DO UPDATE SET
  started = min(started, excluded.started), ended = max(ended, excluded.ended), events = events + excluded.events;

-- unfold_sessions --
-- Takes the sessions of a project away, to count them again.
DELETE FROM sessions WHERE tenant = :tenant AND project = :project;

-- fold_sessions --
-- Counts the sessions of a project from the journal.
INSERT INTO sessions (tenant, project, session, agent, started, ended, events)
SELECT tenant, project, session, agent, min(time), max(time), count(*) FROM events
WHERE tenant = :tenant AND project = :project AND session <> ''
GROUP BY tenant, project, session, agent;

-- clear_sessions --
-- Empties the sessions, before a rebuild.
DELETE FROM sessions;

-- dump_sessions --
-- Every session.
SELECT tenant, project, session, agent, started, ended, events FROM sessions ORDER BY tenant, project, session,
  agent;

-- add_projects --
-- Counts new events into their project.
INSERT INTO projects (tenant, project, started, ended, events)
VALUES (:tenant, :project, :started, :ended, :events)
ON CONFLICT (tenant, project) DO UPDATE SET
  started = min(started, excluded.started), ended = max(ended, excluded.ended), events = events + excluded.events;

-- unfold_projects --
-- Takes a project's count away, to count it again.
DELETE FROM projects WHERE tenant = :tenant AND project = :project;

-- fold_projects --
-- Counts a project from the journal.
INSERT INTO projects (tenant, project, started, ended, events)
SELECT tenant, project, min(time), max(time), count(*) FROM events
WHERE tenant = :tenant AND project = :project
GROUP BY tenant, project;

-- clear_projects --
-- Empties the projects, before a rebuild.
DELETE FROM projects;

-- dump_projects --
-- Every project.
SELECT tenant, project, started, ended, events FROM projects ORDER BY tenant, project;

-- search --
-- Of the latest events whose words match, those that fit best: their keys, and how well they fit.
SELECT d.tenant, d.project, d.id, best.score FROM (
  SELECT row, score FROM (
    SELECT rowid AS row, -bm25(words, 1.0, 1.0, 0.0) AS score FROM words WHERE words MATCH :match
      AND (:anytime OR EXISTS (
        SELECT 1 FROM documents AS d JOIN events AS e ON e.id = d.id AND e.project = d.project AND e.tenant = d.tenant
        WHERE d.row = words.rowid AND e.time >= :since AND e.time < :before
      ))
    ORDER BY rowid DESC LIMIT :most
  ) ORDER BY score DESC, row DESC LIMIT :limit
) AS best CROSS JOIN documents AS d ON d.row = best.row
ORDER BY best.score DESC, d.row DESC;

-- count_matching --
-- How many events have words that match; no more of them are counted than a limit.
SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH :match LIMIT :most);

-- enqueue --
-- Puts a job in line; one that waits under the same key is the same job, a dead one comes back to life,
-- and one that is being worked on runs once more when its lease is over.
INSERT INTO jobs (tenant, project, kind, key, body, due)
VALUES (:tenant, :project, :kind, :key, :body, :due)
ON CONFLICT (tenant, project, kind, key) DO UPDATE SET
  body = excluded.body, due = min(due, excluded.due), state = 'waiting', holder = '',
  tries = CASE WHEN state = 'dead' THEN 0 ELSE tries END;

-- lease_jobs --
-- Hands out jobs that are due and that nobody holds. A time too far ahead was written by a clock that has since run
-- back.
UPDATE jobs SET holder = :holder, until = :until, tries = tries + 1
WHERE (tenant, project, kind, key) IN (
  SELECT tenant, project, kind, key FROM jobs
  WHERE state = 'waiting' AND (due <= :now OR due > :absurd) AND (until <= :now OR until > :absurd)
    AND kind IN (SELECT value FROM json_each(:kinds))
  ORDER BY due, tenant, project, kind, key LIMIT :limit)
RETURNING tenant, project, kind, key, body, tries;

-- bury_jobs --
-- Gives up jobs whose holder died at the last try that they had.
UPDATE jobs SET state = 'dead', holder = '', until = 0, error = 'the process that worked on it died'
WHERE state = 'waiting' AND tries >= :most AND holder <> '' AND until <= :now;

-- finish_job --
-- The job is done; only its holder may say so.
DELETE FROM jobs WHERE tenant = :tenant AND project = :project AND kind = :kind AND key = :key AND holder = :holder;

-- postpone_job --
-- The job failed: it waits for its next try, or is dead. Only its holder may say so.
UPDATE jobs SET holder = '', until = 0, due = :due, state = :state, error = :error
WHERE tenant = :tenant AND project = :project AND kind = :kind AND key = :key AND holder = :holder;

-- count_jobs_of --
-- How many jobs of a kind wait.
SELECT count(*) FROM jobs WHERE kind = :kind AND state = 'waiting';

-- count_jobs --
-- How many jobs wait and how many are dead.
SELECT state, count(*) FROM jobs GROUP BY state;

-- dead_jobs --
-- The jobs that were given up, with the last error of each.
SELECT tenant, project, kind, key, body, tries, error FROM jobs WHERE state = 'dead' ORDER BY tenant, project, kind,
  key;

-- revive_jobs --
-- Gives every dead job its tries back.
UPDATE jobs SET state = 'waiting', tries = 0, due = :now, holder = '', until = 0 WHERE state = 'dead';

-- insert_recipes --
-- A recipe as it was taught, mined or imported.
INSERT INTO recipes (tenant, project, id, fix, time, key, wide, through, family, toolchain, error_type, wording,
  steps,
  parameters, general, taught, mined, imported, worked, failed, message, cause, example, told)
VALUES (:tenant, :project, :id, :fix, :time, :key, :wide, :through, :family, :toolchain, :error_type, :wording,
  :steps,
  :parameters, :general, :taught, :mined, :imported, :worked, :failed, :message, :cause, :example, :told);

-- erase_recipes --
-- Takes it away with its event.
DELETE FROM recipes WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_recipes --
-- Empties the table, before a rebuild.
DELETE FROM recipes;

-- dump_recipes --
-- Every row.
SELECT tenant, project, id, fix, time, key, wide, through, family, toolchain, error_type, wording, steps, parameters,
  general, taught, mined, imported, worked, failed, message, cause, example, told FROM recipes ORDER BY tenant,
  project,
  id, fix;

-- insert_outcomes --
-- An outcome of a recipe.
INSERT INTO outcomes (tenant, project, id, fix, time, week, provenance, worked, failed)
VALUES (:tenant, :project, :id, :fix, :time, :week, :provenance, :worked, :failed);

-- erase_outcomes --
-- Takes it away with its event.
DELETE FROM outcomes WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_outcomes --
-- Empties the table, before a rebuild.
DELETE FROM outcomes;

-- dump_outcomes --
-- Every row.
SELECT tenant, project, id, fix, time, week, provenance, worked, failed FROM outcomes ORDER BY tenant, project, id,
  fix;

-- insert_servings --
-- A fix that was shown or held back.
INSERT INTO servings (tenant, project, id, fix, time, place, matched, failure, fingerprint, command, channel, held)
VALUES (:tenant, :project, :id, :fix, :time, :place, :matched, :failure, :fingerprint, :command, :channel, :held);

-- erase_servings --
-- Takes it away with its event.
DELETE FROM servings WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_servings --
-- Empties the table, before a rebuild.
DELETE FROM servings;

-- dump_servings --
-- Every row.
SELECT tenant, project, id, fix, time, place, matched, failure, fingerprint, command, channel, held FROM servings
  ORDER BY
  tenant, project, id, fix;

-- insert_failures --
-- A command that failed.
INSERT INTO failures (tenant, project, id, time, fingerprint, family, toolchain, error_type, message)
VALUES (:tenant, :project, :id, :time, :fingerprint, :family, :toolchain, :error_type, :message);

-- erase_failures --
-- Takes it away with its event.
DELETE FROM failures WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_failures --
-- Empties the table, before a rebuild.
DELETE FROM failures;

-- dump_failures --
-- Every row.
SELECT tenant, project, id, time, fingerprint, family, toolchain, error_type, message FROM failures ORDER BY tenant,
  project, id;

-- insert_calls --
-- A tool call or a command.
INSERT INTO calls (tenant, project, id, time, started, session, agent, tool, call, command, cwd, path, exit, failed,
  interrupted, refused, unanswered, fingerprint, seconds, subagent, prompt, of, watched)
VALUES (:tenant, :project, :id, :time, :started, :session, :agent, :tool, :call, :command, :cwd, :path, :exit,
  :failed, :interrupted, :refused, :unanswered, :fingerprint, :seconds, :subagent, :prompt, :of, :watched);

-- erase_calls --
-- Takes it away with its event.
DELETE FROM calls WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_calls --
-- Empties the table, before a rebuild.
DELETE FROM calls;

-- dump_calls --
-- Every row.
SELECT tenant, project, id, time, started, session, agent, tool, call, command, cwd, path, exit, failed, interrupted,
  refused, unanswered, fingerprint, seconds, subagent, prompt, of, watched
FROM calls ORDER BY tenant, project, id;

-- insert_prompts --
-- A prompt.
INSERT INTO prompts (tenant, project, id, time, session, agent, prompt, text)
VALUES (:tenant, :project, :id, :time, :session, :agent, :prompt, :text);

-- erase_prompts --
-- Takes it away with its event.
DELETE FROM prompts WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_prompts --
-- Empties the table, before a rebuild.
DELETE FROM prompts;

-- dump_prompts --
-- Every row.
SELECT tenant, project, id, time, session, agent, prompt, text
FROM prompts ORDER BY tenant, project, id;

-- add_fixes --
-- Counts a recipe into the fix that it is.
INSERT INTO fixes (tenant, project, fix, key, wide, through, family, toolchain, error_type, wording, steps,
  parameters,
  general, taught, mined, imported, worked, failed, first, last)
VALUES (:tenant, :project, :fix, :key, :wide, :through, :family, :toolchain, :error_type, :wording, :steps,
  :parameters,
  :general, :taught, :mined, :imported, :worked, :failed, :time, :time)
ON CONFLICT (tenant, project, fix) DO UPDATE SET
  family = min(fixes.family, excluded.family), general = min(fixes.general, excluded.general),
  toolchain = min(fixes.toolchain, excluded.toolchain), error_type = min(fixes.error_type, excluded.error_type),
  wording = min(fixes.wording, excluded.wording), parameters = min(fixes.parameters, excluded.parameters),
  taught = fixes.taught + excluded.taught, mined = fixes.mined + excluded.mined, imported = fixes.imported +
  excluded.imported,
  worked = fixes.worked + excluded.worked, failed = fixes.failed + excluded.failed,
  first = min(fixes.first, excluded.first), last = max(fixes.last, excluded.last);

-- unfold_fixes --
-- Takes the fixes of a project away, to count them again.
DELETE FROM fixes WHERE tenant = :tenant AND project = :project;

-- fold_fixes --
-- Counts the fixes of a project from its recipes.
INSERT INTO fixes (tenant, project, fix, key, wide, through, family, toolchain, error_type, wording, steps,
  parameters,
  general, taught, mined, imported, worked, failed, first, last)
SELECT tenant, project, fix, min(key), min(wide), min(through), min(family), min(toolchain), min(error_type),
  min(wording),
  min(steps), min(parameters), min(general), sum(taught), sum(mined), sum(imported), sum(worked), sum(failed),
  min(time), max(time)
FROM recipes WHERE tenant = :tenant AND project = :project
GROUP BY tenant, project, fix;

-- clear_fixes --
-- Empties the table, before a rebuild.
DELETE FROM fixes;

-- dump_fixes --
-- Every fix.
SELECT tenant, project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught,
  mined, imported, worked, failed, first, last FROM fixes ORDER BY tenant, project, fix;

-- add_evidence --
-- Counts an outcome into its week.
INSERT INTO evidence (tenant, project, fix, week, provenance, worked, failed)
VALUES (:tenant, :project, :fix, :week, :provenance, :worked, :failed)
ON CONFLICT (tenant, project, fix, week, provenance) DO UPDATE SET
  worked = evidence.worked + excluded.worked, failed = evidence.failed + excluded.failed;

-- unfold_evidence --
-- Takes the evidence of a project away, to count it again.
DELETE FROM evidence WHERE tenant = :tenant AND project = :project;

-- fold_evidence --
-- Counts the outcomes of a project by week.
INSERT INTO evidence (tenant, project, fix, week, provenance, worked, failed)
SELECT tenant, project, fix, week, provenance, sum(worked), sum(failed) FROM outcomes
WHERE tenant = :tenant AND project = :project
GROUP BY tenant, project, fix, week, provenance;

-- clear_evidence --
-- Empties the table, before a rebuild.
DELETE FROM evidence;

-- dump_evidence --
-- All evidence.
SELECT tenant, project, fix, week, provenance, worked, failed FROM evidence ORDER BY tenant, project, fix, week,
  provenance;

-- fixes_by_key --
-- The fixes of a fingerprint or a family, the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM fixes WHERE tenant = :tenant AND key = :key ORDER BY last DESC, fix, project LIMIT :limit;

-- fixes_by_type --
-- The fixes of single failures of one tool and type, the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM fixes WHERE tenant = :tenant AND toolchain = :toolchain AND error_type = :error_type AND wide = 0
ORDER BY last DESC, fix, project LIMIT :limit;

-- values_of_fix --
-- What the failures named for which a recipe of a family helped.
SELECT DISTINCT parameters
FROM fixes WHERE tenant = :tenant AND toolchain = :toolchain
  AND error_type = :error_type AND wide = 0 AND general = :general ORDER BY parameters LIMIT 64;

-- fixes_by_prefix --
-- The fixes whose id begins so.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM fixes WHERE tenant = :tenant AND fix >= :prefix AND fix < :beyond ORDER BY fix, project LIMIT :limit;

-- newest_fixes --
-- The fixes of single failures, of these projects (none: of all), the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM fixes WHERE tenant = :tenant AND (:project = '' OR project IN (SELECT value FROM json_each(:projects))) AND
  wide = 0
ORDER BY last DESC, fix, project LIMIT :limit;

-- evidence_of --
-- The evidence for these fixes.
SELECT project, fix, week, provenance, worked, failed FROM evidence
WHERE tenant = :tenant AND fix IN (SELECT value FROM json_each(:fixes)) ORDER BY fix, project, week, provenance;

-- told_of --
-- What was last said about a fix: its cause, an example and the failure.
SELECT message, cause, example FROM recipes
WHERE tenant = :tenant AND fix = :fix ORDER BY told DESC, time DESC, id DESC LIMIT 1;

-- corrections --
-- Changes of a command that were mined in at least so many sessions of a project.
SELECT project, fix FROM fixes
WHERE tenant = :tenant AND wide = 0 AND mined >= :least AND substr(key, 1, 5) <> 'here:' AND
  substr(steps, 1, 17) = '["in the command,'
ORDER BY project, fix LIMIT :limit;

-- events_of_fixes --
-- The events that these fixes are made of: what taught them, where they were shown and how they went.
SELECT DISTINCT id FROM recipes WHERE tenant = :tenant AND fix IN (SELECT value FROM json_each(:fixes))
UNION SELECT DISTINCT id FROM outcomes WHERE tenant = :tenant AND fix IN (SELECT value FROM json_each(:fixes))
UNION SELECT DISTINCT id FROM servings WHERE tenant = :tenant AND fix IN (SELECT value FROM json_each(:fixes));

-- servings_since --
-- The events that showed fixes, or held them back, since a time, the newest first.
SELECT DISTINCT time, id, held FROM servings WHERE tenant = :tenant AND time >= :since ORDER BY time DESC, id LIMIT :limit;

-- runs_between --
-- Commands of a project that began between two times, in their order; one that was watched inside a call counts once.
SELECT id, started, command, exit, fingerprint, interrupted, cwd FROM calls AS ran
WHERE tenant = :tenant AND project IN (SELECT value FROM json_each(:projects)) AND started > :since AND started <= :until
  AND command <> '' AND watched < 2
  AND NOT (tool = '' AND EXISTS (
    SELECT 1 FROM calls AS around WHERE around.tenant = ran.tenant AND around.project IN (SELECT value FROM json_each(:projects))
      AND around.watched = 1 AND around.started <= ran.started + 2000000 AND around.time >= ran.started))
ORDER BY started, id LIMIT :limit;

-- count_failures --
-- How many commands failed, and at how many of these a fix was shown.
SELECT (SELECT count(*) FROM failures WHERE tenant = :tenant),
  (SELECT count(DISTINCT failure) FROM servings WHERE tenant = :tenant AND held = 0 AND failure <> '');

-- count_seen --
-- How often a failure was seen in these projects, and anywhere; no more of them are looked at than the limit.
SELECT sum(CASE WHEN project IN (SELECT value FROM json_each(:projects)) THEN 1 ELSE 0 END), count(*) FROM
  (SELECT project FROM failures WHERE tenant = :tenant AND fingerprint = :fingerprint LIMIT :limit) AS seen;

-- common_failures --
-- The failures that come most often: how often, since when and until when.
SELECT fingerprint, max(toolchain), max(error_type), max(message), count(*), min(time), max(time) FROM failures
WHERE tenant = :tenant GROUP BY fingerprint ORDER BY count(*) DESC, fingerprint LIMIT :limit;

-- tried_fixes --
-- The fixes of single failures with the most outcomes.
SELECT fix, sum(worked) + sum(failed) AS tries FROM evidence
WHERE tenant = :tenant AND fix IN (SELECT fix FROM fixes WHERE tenant = :tenant AND wide = 0)
GROUP BY fix ORDER BY tries DESC, fix LIMIT :limit;

-- fixes_by_ids --
-- The fixes with these ids.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM fixes WHERE tenant = :tenant AND fix IN (SELECT value FROM json_each(:fixes)) ORDER BY fix, project;

-- all_outcomes --
-- Every outcome of the fixes of single failures, in order of time.
SELECT fix, time, provenance, worked, project FROM outcomes
WHERE tenant = :tenant AND fix IN (SELECT fix FROM fixes WHERE tenant = :tenant AND wide = 0) ORDER BY time, fix;

-- sources_of --
-- Where the fixes of single failures come from.
SELECT fix, sum(taught), sum(mined), sum(imported), sum(worked), sum(failed) FROM fixes
WHERE tenant = :tenant AND wide = 0 GROUP BY fix;

-- insert_lessons --
-- A lesson as it was taught, mined or shared.
INSERT INTO lessons (tenant, project, id, lesson, time, text, tool, command, path, input, output, phase, severity, source, why, risky)
VALUES (:tenant, :project, :id, :lesson, :time, :text, :tool, :command, :path, :input, :output, :phase, :severity,
  :source, :why, :risky);

-- erase_lessons --
-- Takes it away with its event.
DELETE FROM lessons WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_lessons --
-- Empties the table, before a rebuild.
DELETE FROM lessons;

-- dump_lessons --
-- Every lesson.
SELECT tenant, project, id, lesson, time, text, tool, command, path, input, output, phase, severity, source, why, risky
FROM lessons ORDER BY tenant, project, id;

-- insert_lesson_keys --
-- A key under which a lesson waits.
INSERT INTO lesson_keys (tenant, project, id, key)
VALUES (:tenant, :project, :id, :key);

-- erase_lesson_keys --
-- Takes it away with its event.
DELETE FROM lesson_keys WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_lesson_keys --
-- Empties the table, before a rebuild.
DELETE FROM lesson_keys;

-- dump_lesson_keys --
-- Every key.
SELECT tenant, project, id, key
FROM lesson_keys ORDER BY tenant, project, id, key;

-- insert_lesson_marks --
-- What was decided of a lesson.
INSERT INTO lesson_marks (tenant, project, id, lesson, time, state, why)
VALUES (:tenant, :project, :id, :lesson, :time, :state, :why);

-- erase_lesson_marks --
-- Takes it away with its event.
DELETE FROM lesson_marks WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_lesson_marks --
-- Empties the table, before a rebuild.
DELETE FROM lesson_marks;

-- dump_lesson_marks --
-- Every decision.
SELECT tenant, project, id, lesson, time, state, why
FROM lesson_marks ORDER BY tenant, project, id, lesson;

-- insert_firings --
-- That a lesson fired, or was heeded.
INSERT INTO firings (tenant, project, id, lesson, time, session, fired, heeded, ignored, provenance)
VALUES (:tenant, :project, :id, :lesson, :time, :session, :fired, :heeded, :ignored, :provenance);

-- erase_firings --
-- Takes it away with its event.
DELETE FROM firings WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_firings --
-- Empties the table, before a rebuild.
DELETE FROM firings;

-- dump_firings --
-- Every firing.
SELECT tenant, project, id, lesson, time, session, fired, heeded, ignored, provenance
FROM firings ORDER BY tenant, project, id, lesson;

-- lesson_keys --
-- The keys of one phase under which any lesson of these projects waits.
SELECT DISTINCT key FROM lesson_keys
WHERE tenant = :tenant AND key >= :from AND key < :to AND project IN (SELECT value FROM json_each(:projects));

-- lessons_by_keys --
-- The lessons of these projects that wait under one of these keys, each with what was last decided of it.
SELECT DISTINCT l.project, l.lesson, l.text, l.tool, l.command, l.path, l.input, l.output, l.phase, l.severity,
  l.source, l.risky,
  (SELECT m.state FROM lesson_marks m
    WHERE m.tenant = l.tenant AND m.lesson = l.lesson AND m.project = l.project
    ORDER BY m.state = 'proposed', m.time DESC, m.id DESC LIMIT 1)
FROM lesson_keys k JOIN lessons l ON l.tenant = k.tenant AND l.project = k.project AND l.id = k.id
WHERE k.tenant = :tenant AND k.key IN (SELECT value FROM json_each(:keys))
  AND k.project IN (SELECT value FROM json_each(:projects))
ORDER BY l.project, l.lesson;

-- lessons_of --
-- The lessons of these projects (none: of all), each with what was last decided of it, when and why.
SELECT l.project, l.lesson, l.text, l.tool, l.command, l.path, l.input, l.output, l.phase, l.severity, l.source,
  l.risky, m.state, min(l.time), m.time, m.why, max(l.why)
FROM lessons l JOIN lesson_marks m ON m.tenant = l.tenant AND m.project = l.project AND m.lesson = l.lesson
WHERE l.tenant = :tenant AND (:project = '' OR l.project IN (SELECT value FROM json_each(:projects)))
  AND NOT EXISTS (SELECT 1 FROM lesson_marks o
    WHERE o.tenant = m.tenant AND o.lesson = m.lesson AND o.project = m.project
    AND (CASE WHEN o.state = 'proposed' THEN 0 ELSE 1 END, o.time, o.id)
      > (CASE WHEN m.state = 'proposed' THEN 0 ELSE 1 END, m.time, m.id))
GROUP BY l.project, l.lesson, l.text, l.tool, l.command, l.path, l.input, l.output, l.phase, l.severity, l.source,
  l.risky, m.state, m.time, m.why
ORDER BY min(l.time) DESC, l.lesson, l.project;

-- firings_of --
-- How often each of these lessons fired, was heeded and was not, week by week.
SELECT lesson, time / 604800000000, sum(fired), sum(heeded), sum(ignored), max(time) FROM firings
WHERE tenant = :tenant AND lesson IN (SELECT value FROM json_each(:lessons))
GROUP BY lesson, time / 604800000000 ORDER BY lesson, time / 604800000000;

-- firings_since --
-- Each time that a lesson fired in a session, since a time.
SELECT id, project, lesson, time, session FROM firings
WHERE tenant = :tenant AND time >= :since AND fired > 0 AND session <> ''
ORDER BY time, id, lesson LIMIT :limit;

-- past_calls --
-- The newest tool calls and commands of these projects.
SELECT e.id, e.time, e.session, e.kind, e.body FROM (
  SELECT l.tenant, l.project, l.id FROM json_each(:projects) AS p JOIN calls AS l ON l.rowid IN (
    SELECT o.rowid FROM calls AS o WHERE o.tenant = :tenant AND o.project = p.value ORDER BY o.started DESC LIMIT :limit)
  ORDER BY l.started DESC LIMIT :limit) AS c
JOIN events e ON e.id = c.id AND e.project = c.project AND e.tenant = c.tenant
ORDER BY e.time DESC, e.id;

-- past_calls_anywhere --
-- The newest tool calls and commands of a tenant.
SELECT id, time, session, kind, body FROM events WHERE tenant = :tenant AND +kind IN ('tool.call', 'command')
ORDER BY time DESC, id LIMIT :limit;

-- lessons_by_state --
-- The lessons of which this was decided last, and why.
SELECT DISTINCT l.lesson, l.text, m.why
FROM lesson_marks m JOIN lessons l
  ON l.tenant = m.tenant AND l.project = m.project AND l.lesson = m.lesson
WHERE m.state = :state
  AND NOT EXISTS (SELECT 1 FROM lesson_marks o
    WHERE o.tenant = m.tenant AND o.lesson = m.lesson AND o.project = m.project
    AND (CASE WHEN o.state = 'proposed' THEN 0 ELSE 1 END, o.time, o.id)
      > (CASE WHEN m.state = 'proposed' THEN 0 ELSE 1 END, m.time, m.id))
ORDER BY l.lesson;

-- insert_episodes --
-- What became of a failure.
INSERT INTO episodes (tenant, project, id, time, session, state, fingerprint, family, command, file)
VALUES (:tenant, :project, :id, :time, :session, :state, :fingerprint, :family, :command, :file);

-- erase_episodes --
-- Takes it away with its event.
DELETE FROM episodes WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_episodes --
-- Empties the table, before a rebuild.
DELETE FROM episodes;

-- dump_episodes --
-- Every row.
SELECT tenant, project, id, time, session, state, fingerprint, family, command, file FROM episodes ORDER BY tenant, project, id;

-- episodes_like --
-- In how many sessions of these projects a failure had this fingerprint, family, command or file; of a thousand episodes.
SELECT 'fingerprint', count(DISTINCT session) FROM (SELECT session FROM episodes WHERE tenant = :tenant
  AND project IN (SELECT value FROM json_each(:projects)) AND fingerprint = :fingerprint LIMIT 1000)
UNION ALL SELECT 'family', count(DISTINCT session) FROM (SELECT session FROM episodes WHERE tenant = :tenant
  AND project IN (SELECT value FROM json_each(:projects)) AND family = :family LIMIT 1000)
UNION ALL SELECT 'command', count(DISTINCT session) FROM (SELECT session FROM episodes WHERE tenant = :tenant
  AND project IN (SELECT value FROM json_each(:projects)) AND command IN (SELECT value FROM json_each(:commands)) LIMIT 1000)
UNION ALL SELECT 'file', count(DISTINCT session) FROM (SELECT session FROM episodes WHERE tenant = :tenant
  AND project IN (SELECT value FROM json_each(:projects)) AND file IN (SELECT value FROM json_each(:files)) LIMIT 1000);

-- learned_by_key --
-- The fixes of a fingerprint or a family that were learned here, the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM fixes WHERE tenant = :tenant AND key = :key AND taught + mined > 0 ORDER BY last DESC, fix, project LIMIT :limit;

-- fixes_by_keys --
-- The fixes under these keys, the newest first.
SELECT project, fix, key, wide, through, family, toolchain, error_type, wording, steps, parameters, general,
  taught, mined, imported, worked, failed, first, last
FROM fixes WHERE tenant = :tenant AND key IN (SELECT value FROM json_each(:keys)) ORDER BY last DESC, fix, project LIMIT :limit;

-- calls_of_session --
-- The tool calls of a session, in their order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE tenant = :tenant AND project = :project AND session = :session AND kind = 'tool.call'
ORDER BY time, id LIMIT :limit;

-- ids_of_session --
-- The ids of everything that a session has, in whichever projects.
SELECT id FROM events
WHERE session = :session AND session <> '' AND tenant = :tenant AND agent = :agent;

-- said_in_session --
-- How a session began, and what was said in it, in its order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE session = :session AND session <> '' AND tenant = :tenant AND agent = :agent
  AND kind IN ('session.start', 'prompt', 'reply')
ORDER BY time, id, project;

-- events_of_session --
-- Everything of a session, in its order.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE session = :session AND session <> '' AND tenant = :tenant AND agent = :agent
ORDER BY time, id, project;

-- arrived_after --
-- What happened since a time and came into the journal behind a place in its order of arrival.
SELECT id, time, tenant, project, session, agent, kind, v, body, seq FROM events
WHERE time >= :since AND seq > :after AND seq <= :most ORDER BY seq LIMIT :limit;

-- changed_after --
-- What of a tenant, of some kinds or of every one, came into the journal behind a place in its order of arrival.
SELECT id, time, tenant, project, session, agent, kind, v, body, seq FROM events
WHERE tenant = :tenant AND seq > :after AND seq <= :most AND (:every = 1 OR kind IN (SELECT value FROM json_each(:kinds))) ORDER BY seq LIMIT :limit;

-- settled --
-- Up to which place all has come: nobody who still writes began behind a lower one.
SELECT max(seq) FROM events;

-- last_arrived --
-- The place of what came last.
SELECT max(seq) FROM events;

-- list_sessions --
-- Sessions, the latest first, with how much happened in each and what was asked first.
SELECT s.session, s.agent, s.project, s.started, s.ended, s.events,
  (SELECT count(*) FROM prompts AS p WHERE p.tenant = :tenant AND p.session = s.session AND p.agent = s.agent),
  (SELECT count(*) FROM calls AS c WHERE c.tenant = :tenant AND c.session = s.session AND c.agent = s.agent),
  (SELECT count(*) FROM calls AS c WHERE c.tenant = :tenant AND c.session = s.session AND c.agent = s.agent
    AND c.failed = 1),
  (SELECT p.text FROM prompts AS p WHERE p.tenant = :tenant AND p.session = s.session AND p.agent = s.agent
    ORDER BY p.time, p.id LIMIT 1)
FROM (
  SELECT session, agent, min(project) AS project, min(started) AS started, max(ended) AS ended, sum(events) AS events
  FROM sessions AS one
  WHERE tenant = :tenant AND session <> '' AND (:project = '' OR project IN (SELECT value FROM json_each(:projects)))
    AND (:agent = '' OR agent = :agent)
    AND (:failed = 0 OR EXISTS (SELECT 1 FROM calls AS c WHERE c.tenant = :tenant AND c.session = one.session
      AND c.agent = one.agent AND c.failed = 1))
  GROUP BY session, agent
  HAVING max(ended) >= :since AND min(started) < :before
  ORDER BY max(ended) DESC, session, agent LIMIT :limit
) AS s ORDER BY s.ended DESC, s.session, s.agent;

-- sessions_named --
-- Sessions whose name begins so.
SELECT DISTINCT session, agent FROM sessions
WHERE tenant = :tenant AND session <> '' AND substr(session, 1, length(:start)) = :start
ORDER BY session, agent LIMIT 20;

-- insert_token --
-- A new token.
INSERT INTO tokens (id, tenant, name, agent, scopes, hash, created, expires)
VALUES (:id, :tenant, :name, :agent, :scopes, :hash, :created, :expires);

-- token_by_id --
-- A token by the part of it that is no secret.
SELECT id, tenant, name, agent, scopes, hash, created, expires, revoked, used FROM tokens WHERE id = :id;

-- all_tokens --
-- Every token, the newest first.
SELECT id, tenant, name, agent, scopes, hash, created, expires, revoked, used FROM tokens ORDER BY created DESC, id;

-- revoke_token --
-- From now on a token opens nothing; the first time counts.
UPDATE tokens SET revoked = :now WHERE id = :id AND revoked = 0;

-- touch_token --
-- When a token was last used.
UPDATE tokens SET used = :now WHERE id = :id AND used < :now;

-- insert_audit --
-- One change that came through a server.
INSERT INTO audit (time, tenant, token, address, method, path, status)
VALUES (:time, :tenant, :token, :address, :method, :path, :status);

-- newest_audit --
-- The latest changes of a tenant, before a place in the list.
SELECT seq, time, token, address, method, path, status FROM audit
WHERE tenant = :tenant AND seq < :before ORDER BY seq DESC LIMIT :limit;

-- expire_audit --
-- Forgets changes before a time.
DELETE FROM audit WHERE time < :before;

-- insert_login --
-- A new login or ticket.
INSERT INTO logins (hash, form, tenant, asker, agent, scopes, address, token, ends)
VALUES (:hash, :form, :tenant, :asker, :agent, :scopes, :address, :token, :ends);

-- login_of --
-- A login by the hash of its name, as long as it holds.
SELECT hash, form, tenant, asker, agent, scopes, address, token, ends FROM logins
WHERE hash = :hash AND form = :form AND ends > :now;

-- redeem_login --
-- A ticket by the hash of its text, as long as it holds; whoever asks first has it alone.
DELETE FROM logins WHERE hash = :hash AND form = :form AND ends > :now
RETURNING hash, form, tenant, asker, agent, scopes, address, token, ends;

-- end_login --
-- A login opens nothing any more.
DELETE FROM logins WHERE hash = :hash;

-- expire_logins --
-- Forgets those that have ended, and of one who asks all but the last so many.
DELETE FROM logins WHERE ends <= :now OR hash IN (
  SELECT hash FROM logins WHERE tenant = :tenant AND asker = :asker ORDER BY ends DESC, hash LIMIT -1 OFFSET :most
);

-- latest_events --
-- The events of a tenant before a place in the journal's order, the latest first; an empty condition means any.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE tenant = :tenant
  AND (:project = '' OR project IN (SELECT value FROM json_each(:projects)))
  AND (:kind = '' OR kind = :kind)
  AND (:session = '' OR session = :session)
  AND (time < :time OR (time = :time AND id < :id))
ORDER BY time DESC, id DESC LIMIT :limit;

-- vector_tables --
-- The tables of vectors, in the order that they were made.
SELECT number, model, dimension, stamp, erased, scrubbed FROM vector_tables ORDER BY number;

-- add_vector_table --
-- Says that a table of vectors was made, in its own transaction.
INSERT INTO vector_tables (number, model, dimension, stamp) VALUES (:number, :model, :dimension, :stamp);

-- remove_vector_table --
-- Says that a table of vectors is gone.
DELETE FROM vector_tables WHERE number = :number;

-- erased_vectors --
-- Says that vectors of a table went.
UPDATE vector_tables SET erased = erased + 1 WHERE number = :number;

-- scrubbed_vectors --
-- Says that no byte is left of vectors that went before.
UPDATE vector_tables SET scrubbed = :erased WHERE number = :number AND scrubbed < :erased;

-- vector_plan --
-- How far texts are in line for a model, and what embedding some of the latest took.
SELECT planned, texts, seconds FROM vector_plans WHERE model = :model;

-- set_vector_plan --
-- Says how far texts are in line for a model.
INSERT INTO vector_plans (model, planned) VALUES (:model, :planned)
ON CONFLICT (model) DO UPDATE SET planned = excluded.planned;

-- clock_vectors --
-- Says what embedding took; what was long ago counts less.
UPDATE vector_plans SET texts = texts * 0.9 + :texts, seconds = seconds * 0.9 + :seconds WHERE model = :model;

-- count_told --
-- How many events of these kinds there are.
SELECT count(*) FROM events
WHERE kind NOT IN ('tool.call', 'command') AND kind IN (SELECT value FROM json_each(:kinds));

-- pieces_told --
-- Events of these kinds that arrived behind a place, in pieces of a size: the first and the last place of each.
SELECT min(seq), max(seq) FROM (
  SELECT seq, (row_number() OVER (ORDER BY seq) - 1) / :size AS piece FROM events
  WHERE kind NOT IN ('tool.call', 'command') AND kind IN (SELECT value FROM json_each(:kinds)) AND seq > :after
) AS told GROUP BY piece ORDER BY piece;

-- told_without_vector --
-- Events of these kinds between two places that have no vector in a table yet, the newest first.
SELECT e.id, e.time, e.tenant, e.project, e.session, e.agent, e.kind, e.v, e.body FROM events AS e
WHERE e.kind NOT IN ('tool.call', 'command') AND e.kind IN (SELECT value FROM json_each(:kinds))
  AND e.seq BETWEEN :first AND :last
  AND NOT EXISTS (SELECT 1 FROM vectors_@ AS v WHERE v.id = e.id AND v.project = e.project AND v.tenant = e.tenant)
ORDER BY e.seq DESC;

-- vectors_known --
-- Which of these texts have a vector, by their hashes.
SELECT DISTINCT hash FROM vectors_@ WHERE hash IN (SELECT value FROM json_each(:hashes));

-- insert_vectors --
-- The vector of an event that is still there, or of a part of it: 0 is the whole.
INSERT INTO vectors_@ (tenant, project, id, kind, hash, part, vector)
SELECT :tenant, :project, :id, :kind, :hash, :part, :vector
WHERE EXISTS (SELECT 1 FROM events WHERE tenant = :tenant AND project = :project AND id = :id)
ON CONFLICT DO NOTHING;

-- copy_vectors --
-- For an event that is still there: a vector that the same text has already, or a part of it.
INSERT INTO vectors_@ (tenant, project, id, kind, hash, part, vector)
SELECT :tenant, :project, :id, :kind, hash, part, vector FROM vectors_@
WHERE hash = :hash AND part = :part
  AND EXISTS (SELECT 1 FROM events WHERE tenant = :tenant AND project = :project AND id = :id)
LIMIT 1 ON CONFLICT DO NOTHING;

-- erase_vectors --
-- Takes away the vector of an event.
DELETE FROM vectors_@ WHERE tenant = :tenant AND project = :project AND id = :id;

-- count_vectors --
-- How many events have been looked at for a table.
SELECT count(*) FROM vectors_@ WHERE part = 0;

-- put_back_job --
-- The job was begun and left for later: that was no try. Only its holder may say so.
UPDATE jobs SET holder = '', until = 0, tries = max(tries - 1, 0)
WHERE tenant = :tenant AND project = :project AND kind = :kind AND key = :key AND holder = :holder;

-- revive_jobs_of --
-- Gives the dead jobs of a kind their tries back.
UPDATE jobs SET state = 'waiting', tries = 0, due = :now, holder = '', until = 0 WHERE state = 'dead' AND kind = :kind;

-- drop_jobs_of --
-- Takes the jobs of a kind out of the line.
DELETE FROM jobs WHERE kind = :kind;

-- waiting_of --
-- Which jobs of a kind wait.
SELECT tenant, project, key FROM jobs WHERE kind = :kind AND state = 'waiting' ORDER BY tenant, project, key;

-- expiring --
-- Events of a kind before a time that nothing rests on, the oldest first: no failure, and of no session with an episode.
SELECT tenant, project, id FROM events AS e
WHERE kind = :kind AND time < :before
  AND NOT EXISTS (SELECT 1 FROM failures AS f WHERE f.tenant = e.tenant AND f.project = e.project AND f.id = e.id)
  AND NOT EXISTS (SELECT 1 FROM episodes AS h WHERE h.tenant = e.tenant AND h.session = e.session AND h.session <> '')
ORDER BY time, id LIMIT :limit;

-- size_of_kind --
-- How many characters the bodies of a kind have.
SELECT sum(length(body)) FROM events WHERE kind = :kind;

-- size_cut --
-- The time of the latest event of a kind behind which, counted from the newest, there are too many characters.
SELECT max(time) FROM (
  SELECT time, sum(length(body)) OVER (ORDER BY time DESC, id DESC ROWS UNBOUNDED PRECEDING) AS characters
  FROM events WHERE kind = :kind
) AS sized WHERE characters > :most;

-- oldest_due --
-- Since when the job that has waited longest has been due; one that is worked on does not wait.
SELECT min(due) FROM jobs WHERE state = 'waiting' AND holder = '';

-- renew_job --
-- Its holder is still at it.
UPDATE jobs SET until = :until
WHERE tenant = :tenant AND project = :project AND kind = :kind AND key = :key AND holder = :holder;

-- job_holders --
-- Who holds jobs of a kind.
SELECT DISTINCT holder FROM jobs WHERE kind = :kind AND holder <> '';

-- free_jobs --
-- Whoever held these is gone; that was no try.
UPDATE jobs SET holder = '', until = 0, tries = max(tries - 1, 0)
WHERE holder = :holder AND state = 'waiting';

-- last_error --
-- What went wrong last with a job of a kind.
SELECT error FROM jobs WHERE kind = :kind AND error <> '' ORDER BY due DESC, key LIMIT 1;

-- insert_patterns --
-- A pattern as it was taught, or that one was followed.
INSERT INTO patterns (tenant, project, id, pattern, time, form, name, description, example,
  uses, avoid, area, source, told)
VALUES (:tenant, :project, :id, :pattern, :time, :form, :name, :description, :example,
  :uses, :avoid, :area, :source, :told);

-- erase_patterns --
-- Takes it away with its event.
DELETE FROM patterns WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_patterns --
-- Empties the table, before a rebuild.
DELETE FROM patterns;

-- dump_patterns --
-- Every row.
SELECT tenant, project, id, pattern, time, form, name, description, example, uses, avoid, area, source, told
FROM patterns ORDER BY tenant, project, id;

-- patterns_counted --
-- The patterns of these projects (none: of all), the most often seen first: how often, since when and until when.
SELECT pattern, count(*), min(time), max(time) FROM patterns
WHERE tenant = :tenant AND (:project = '' OR project IN (SELECT value FROM json_each(:projects)))
  AND pattern IN (SELECT said.pattern FROM patterns said WHERE said.tenant = :tenant AND said.told = 1
    AND (:project = '' OR said.project IN (SELECT value FROM json_each(:projects)))
    AND (:form = '' OR said.form = :form))
GROUP BY pattern ORDER BY count(*) DESC, max(time) DESC, pattern LIMIT :limit;

-- patterns_seen --
-- How often each of these patterns was seen, since when and until when.
SELECT pattern, count(*), min(time), max(time) FROM patterns
WHERE tenant = :tenant AND pattern IN (SELECT value FROM json_each(:patterns)) GROUP BY pattern ORDER BY pattern;

-- patterns_told --
-- What was said of these patterns, the last first.
SELECT pattern, project, form, name, description, example, uses, avoid, area, source FROM patterns
WHERE tenant = :tenant AND told = 1 AND pattern IN (SELECT value FROM json_each(:patterns))
ORDER BY time DESC, id DESC, project;

-- patterns_like --
-- Which of these words stand in which patterns of these projects (none: of all).
SELECT DISTINCT k.word, p.pattern
FROM pattern_words k JOIN patterns p ON p.tenant = k.tenant AND p.project = k.project AND p.id = k.id
WHERE k.tenant = :tenant AND k.word IN (SELECT value FROM json_each(:words)) AND (:form = '' OR p.form = :form)
  AND (:project = '' OR k.project IN (SELECT value FROM json_each(:projects)))
ORDER BY k.word, p.pattern LIMIT :limit;

-- insert_pattern_words --
-- A word that a pattern is about.
INSERT INTO pattern_words (tenant, project, id, word)
VALUES (:tenant, :project, :id, :word);

-- erase_pattern_words --
-- Takes it away with its event.
DELETE FROM pattern_words WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_pattern_words --
-- Empties the table, before a rebuild.
DELETE FROM pattern_words;

-- dump_pattern_words --
-- Every word.
SELECT tenant, project, id, word FROM pattern_words ORDER BY tenant, project, id, word;

-- patterns_by_events --
-- Which pattern these events taught.
SELECT id, pattern FROM patterns
WHERE tenant = :tenant AND told = 1 AND id IN (SELECT value FROM json_each(:ids)) ORDER BY id;

-- patterns_by_prefix --
-- The patterns whose id begins so.
SELECT DISTINCT pattern FROM patterns
WHERE tenant = :tenant AND told = 1 AND pattern >= :prefix AND pattern < :beyond ORDER BY pattern LIMIT :limit;

-- events_of_patterns --
-- The events that these patterns are made of.
SELECT DISTINCT id FROM patterns
WHERE tenant = :tenant AND pattern IN (SELECT value FROM json_each(:patterns)) ORDER BY id;

-- used_files --
-- The files that calls in these projects named, the last used first: how often, in how many sessions, changed how often.
SELECT path, count(*), count(DISTINCT session),
  sum(CASE WHEN tool IN (SELECT value FROM json_each(:editors)) THEN 1 ELSE 0 END),
  min(time), max(time)
FROM calls WHERE tenant = :tenant AND project IN (SELECT value FROM json_each(:projects)) AND path <> '' AND failed = 0
GROUP BY path ORDER BY max(time) DESC, path LIMIT :limit;

-- recurring_failures --
-- The failures that came more than once in these projects: how often, in how many sessions, when last, and the last one.
SELECT f.fingerprint, max(f.toolchain), max(f.error_type), max(f.message), count(*), count(DISTINCT c.session), max(f.time),
  (SELECT l.id FROM failures l WHERE l.tenant = :tenant AND l.fingerprint = f.fingerprint
    AND l.project IN (SELECT value FROM json_each(:projects)) ORDER BY l.time DESC, l.id LIMIT 1)
FROM failures f LEFT JOIN calls c ON c.tenant = f.tenant AND c.project = f.project AND c.id = f.id
WHERE f.tenant = :tenant AND f.project IN (SELECT value FROM json_each(:projects)) AND f.time >= :since
GROUP BY f.fingerprint HAVING count(*) >= :least
ORDER BY count(*) DESC, max(f.time) DESC, f.fingerprint LIMIT :limit;

-- last_commands --
-- The last commands that ran in these projects, and how they ended.
SELECT command, cwd, exit, failed, time FROM calls
WHERE tenant = :tenant AND project IN (SELECT value FROM json_each(:projects)) AND command <> '' AND interrupted = 0
  AND refused = 0
ORDER BY started DESC, id LIMIT :limit;

-- Team memory

-- ids_of_kind --
-- The events of a kind in these projects, in order.
SELECT id FROM events
WHERE project IN (SELECT value FROM json_each(:projects)) AND kind = :kind AND tenant = :tenant ORDER BY time, id;

-- What pages show

-- add_days --
-- Counts new events into their day.
INSERT INTO days (tenant, project, day, kind, events)
VALUES (:tenant, :project, :day, :kind, :events)
ON CONFLICT (tenant, project, day, kind) DO UPDATE SET events = days.events + excluded.events;

-- unfold_days --
-- Takes the counts of a project's days away, to count them again.
DELETE FROM days WHERE tenant = :tenant AND project = :project;

-- fold_days --
-- Counts the days of a project from the journal.
INSERT INTO days (tenant, project, day, kind, events)
SELECT tenant, project, time / 86400000000, kind, count(*) FROM events
WHERE tenant = :tenant AND project = :project
GROUP BY tenant, project, time / 86400000000, kind;

-- clear_days --
-- Empties the days, before a rebuild.
DELETE FROM days;

-- dump_days --
-- Every day of every project.
SELECT tenant, project, day, kind, events FROM days ORDER BY tenant, project, day, kind;

-- failures_by_week --
-- How many commands failed in each week since a time.
SELECT time / 604800000000 AS week, count(*) FROM failures WHERE tenant = :tenant AND time >= :since
GROUP BY week ORDER BY week;

-- servings_by_week --
-- At how many failures of each week a fix was shown, and held back.
SELECT time / 604800000000 AS week, count(DISTINCT CASE WHEN held = 0 THEN id END), count(DISTINCT CASE WHEN held = 1 THEN id END)
FROM servings WHERE tenant = :tenant AND time >= :since GROUP BY week ORDER BY week;

-- outcomes_by_week --
-- How often fixes worked and failed in each week.
SELECT week, sum(worked), sum(failed) FROM evidence
WHERE tenant = :tenant AND week >= :since AND fix IN (SELECT fix FROM fixes WHERE tenant = :tenant AND wide = 0)
GROUP BY week ORDER BY week;

-- failures_ranked --
-- The kinds of failure since a time, the most frequent first: how often, since when and until when.
SELECT fingerprint, count(*), min(time), max(time) FROM failures
WHERE tenant = :tenant AND time >= :since AND (:project = '' OR project IN (SELECT value FROM json_each(:projects)))
  AND (:toolchain = '' OR toolchain = :toolchain) AND (:words = '' OR instr(lower(message), lower(:words)) > 0)
GROUP BY fingerprint ORDER BY count(*) DESC, max(time) DESC, fingerprint LIMIT :limit OFFSET :offset;

-- failures_counted --
-- All kinds of failure, the most frequent first: how often, since when and until when.
SELECT fingerprint, count(*), min(time), max(time) FROM failures WHERE tenant = :tenant
GROUP BY fingerprint ORDER BY count(*) DESC, max(time) DESC, fingerprint LIMIT :limit OFFSET :offset;

-- failures_told --
-- What the latest of each of these failures said.
SELECT f.fingerprint, f.family, f.toolchain, f.error_type, f.message, f.project, f.id
FROM json_each(:fingerprints) AS k JOIN failures f ON f.rowid = (
  SELECT l.rowid FROM failures l WHERE l.tenant = :tenant AND l.fingerprint = k.value
  ORDER BY l.time DESC, l.id DESC, l.project DESC LIMIT 1)
ORDER BY f.fingerprint;

-- failures_weekly --
-- How often each of these failures came in each week since a time.
SELECT fingerprint, time / 604800000000 AS week, count(*) FROM failures
WHERE tenant = :tenant AND fingerprint IN (SELECT value FROM json_each(:fingerprints)) AND time >= :since
GROUP BY fingerprint, week ORDER BY fingerprint, week;

-- toolchains --
-- The tools that failed, the most frequent first.
SELECT toolchain, count(*) FROM failures WHERE tenant = :tenant
GROUP BY toolchain ORDER BY count(*) DESC, toolchain;

-- failures_like --
-- When and where one failure came, the latest first.
SELECT project, id, time FROM failures WHERE tenant = :tenant AND fingerprint = :fingerprint
ORDER BY time DESC, id LIMIT :limit;

-- episodes_of --
-- What became of one failure, the latest first.
SELECT project, id, time, session, state, command, file FROM episodes
WHERE tenant = :tenant AND fingerprint = :fingerprint ORDER BY time DESC, id LIMIT :limit;

-- outcomes_of --
-- How fixes went, each time, the latest first.
SELECT fix, time, provenance, worked, failed, project, id FROM outcomes
WHERE tenant = :tenant AND fix IN (SELECT value FROM json_each(:fixes)) ORDER BY time DESC, id LIMIT :limit;

-- failures_named --
-- The kinds of failure whose fingerprint begins so: how often, since when and until when.
SELECT fingerprint, count(*), min(time), max(time) FROM failures
WHERE tenant = :tenant AND fingerprint >= :start AND fingerprint < :beyond
GROUP BY fingerprint ORDER BY fingerprint LIMIT :limit;

-- failures_begin --
-- The failures whose fingerprint begins so, each with its family.
SELECT DISTINCT fingerprint, family FROM failures
WHERE tenant = :tenant AND fingerprint >= :start AND fingerprint < :beyond ORDER BY fingerprint, family LIMIT :limit;

-- failures_keyed --
-- When and where one failure came in these projects, or anywhere, the latest first.
SELECT project, id FROM failures WHERE tenant = :tenant AND fingerprint = :key
  AND (:anywhere OR project IN (SELECT value FROM json_each(:projects))) ORDER BY time DESC, id LIMIT :limit;

-- recipes_keyed --
-- The events that taught last each fix that helps against a failure in these projects, or anywhere, the latest first.
SELECT project, id FROM (
  SELECT r.project, r.id, r.time, row_number() OVER (PARTITION BY r.fix ORDER BY r.time DESC, r.id, r.project) AS place
  FROM fixes AS f JOIN recipes AS r ON r.tenant = f.tenant AND r.fix = f.fix AND r.project = f.project
  WHERE f.tenant = :tenant AND f.key = :key AND (:anywhere OR f.project IN (SELECT value FROM json_each(:projects)))
) AS told WHERE place = 1 ORDER BY time DESC, id, project LIMIT :limit;

-- fixes_of_failure --
-- The fixes that are kept for one failure or for its family.
SELECT DISTINCT fix FROM fixes WHERE tenant = :tenant AND key IN (:fingerprint, :family)
ORDER BY fix LIMIT :limit;

-- fixes_known_for --
-- How many fixes are kept for each of these failures and families.
SELECT key, count(DISTINCT fix) FROM fixes
WHERE tenant = :tenant AND key IN (SELECT value FROM json_each(:keys)) GROUP BY key ORDER BY key;

-- fixes_of_events --
-- The fixes that these events taught, those for a single failure first.
SELECT DISTINCT fix, wide FROM recipes WHERE tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
ORDER BY wide, fix;

-- outcomes_counted --
-- How often fixes of single failures worked and failed, by who says so.
SELECT provenance, sum(worked), sum(failed) FROM evidence
WHERE tenant = :tenant AND fix IN (SELECT fix FROM fixes WHERE tenant = :tenant AND wide = 0)
GROUP BY provenance ORDER BY provenance;

-- count_kinds_of --
-- How many events of each kind a tenant has.
SELECT kind, sum(events) AS number FROM days WHERE tenant = :tenant GROUP BY kind ORDER BY number DESC, kind;

-- calls_between --
-- What was done in a session between two times, in its order.
SELECT id, started, tool, command, path, exit, failed FROM calls
WHERE tenant = :tenant AND session = :session AND started >= :since AND started <= :until
ORDER BY started, id LIMIT :limit;

-- agents_heard --
-- Every agent with sessions, and when the last of these ended.
SELECT agent, max(ended) FROM sessions WHERE tenant = :tenant GROUP BY agent ORDER BY agent;

-- count_redactions_of --
-- How often each rule took something out of what a tenant told.
SELECT rule, sum(number) FROM redactions WHERE tenant = :tenant GROUP BY rule ORDER BY sum(number) DESC, rule;

-- insert_tasks --
-- What an event tells of a task.
INSERT INTO tasks (tenant, project, id, task, time, session, agent, started, outcome, told)
VALUES (:tenant, :project, :id, :task, :time, :session, :agent, :started, :outcome, :told);

-- erase_tasks --
-- Takes it away with its event.
DELETE FROM tasks WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_tasks --
-- Empties the table, before a rebuild.
DELETE FROM tasks;

-- dump_tasks --
-- Every row.
SELECT tenant, project, id, task, time, session, agent, started, outcome, told FROM tasks ORDER BY tenant, project, id;

-- insert_task_words --
-- A word that a task is about.
INSERT INTO task_words (tenant, project, id, word, task, time)
VALUES (:tenant, :project, :id, :word, :task, :time);

-- erase_task_words --
-- Takes it away with its event.
DELETE FROM task_words WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_task_words --
-- Empties the table, before a rebuild.
DELETE FROM task_words;

-- dump_task_words --
-- Every word.
SELECT tenant, project, id, word, task, time FROM task_words ORDER BY tenant, project, id, word;

-- insert_task_uses --
-- That a strategy was shown or followed.
INSERT INTO task_uses (tenant, project, id, task, time, session, about, followed)
VALUES (:tenant, :project, :id, :task, :time, :session, :about, :followed);

-- erase_task_uses --
-- Takes it away with its event.
DELETE FROM task_uses WHERE tenant = :tenant AND project = :project AND id = :id;

-- clear_task_uses --
-- Empties the table, before a rebuild.
DELETE FROM task_uses;

-- dump_task_uses --
-- Every use.
SELECT tenant, project, id, task, time, session, about, followed FROM task_uses ORDER BY tenant, project, id, task;

-- tasks_told --
-- What is told of these tasks.
SELECT task, id, project, session, agent, started, time, told FROM tasks
WHERE tenant = :tenant AND task IN (SELECT value FROM json_each(:tasks)) ORDER BY task, time DESC, id DESC, project;

-- tasks_latest --
-- The tasks of these projects (none: of all), those that were told of last first.
SELECT task, max(time) FROM tasks WHERE tenant = :tenant AND (:project = '' OR project IN (SELECT value FROM json_each(:projects)))
GROUP BY task ORDER BY max(time) DESC, task LIMIT :limit OFFSET :offset;

-- tasks_number --
-- How many events tell of tasks in these projects (none: in all).
SELECT count(*) FROM tasks WHERE tenant = :tenant AND (:project = '' OR project IN (SELECT value FROM json_each(:projects)));

-- tasks_with_word --
-- The tasks of a project that a word is about, the latest first.
SELECT task FROM task_words
WHERE tenant = :tenant AND word = :word AND project = :project ORDER BY time DESC, task DESC LIMIT :limit;

-- tasks_with_word_anywhere --
-- The tasks of any project that a word is about.
SELECT task FROM task_words
WHERE tenant = :tenant AND word = :word ORDER BY project, time DESC, task DESC LIMIT :limit;

-- tasks_by_events --
-- Which task these events tell of.
SELECT id, task FROM tasks WHERE tenant = :tenant AND id IN (SELECT value FROM json_each(:ids)) ORDER BY id;

-- tasks_by_prefix --
-- The tasks whose id begins so.
SELECT DISTINCT task FROM tasks
WHERE tenant = :tenant AND task >= :prefix AND task < :beyond ORDER BY task LIMIT :limit;

-- tasks_used --
-- How often these strategies were shown and followed.
SELECT task, count(DISTINCT CASE WHEN followed = 0 THEN id END),
  count(DISTINCT CASE WHEN followed = 1 THEN about END) FROM task_uses
WHERE tenant = :tenant AND task IN (SELECT value FROM json_each(:tasks)) GROUP BY task ORDER BY task;

-- tasks_shown --
-- Which strategies were shown in these projects in a time, for which task and in which session.
SELECT task, about, session FROM task_uses
WHERE tenant = :tenant AND project IN (SELECT value FROM json_each(:projects)) AND time BETWEEN :since AND :until AND followed = 0 AND task <> ''
ORDER BY time, id, task;

-- task_uses_counted --
-- How often strategies were shown in these projects (none: in all), questions had no answer, and strategies were followed.
SELECT count(DISTINCT CASE WHEN followed = 0 AND task <> '' THEN id END),
  count(DISTINCT CASE WHEN followed = 0 AND task = '' THEN id END),
  count(DISTINCT CASE WHEN followed = 1 THEN about END)
FROM task_uses WHERE tenant = :tenant AND (:project = '' OR project IN (SELECT value FROM json_each(:projects)));

-- task_without_vector --
-- Whether some task came behind what is in line for a model, or waits in it.
SELECT 1 WHERE EXISTS (SELECT 1 FROM jobs WHERE kind = :job AND state = 'waiting') OR EXISTS (
  SELECT 1 FROM events WHERE kind = 'task' AND kind NOT IN ('tool.call', 'command')
  AND seq > coalesce((SELECT max(planned) FROM vector_plans WHERE model = :model), 0));

-- talk_of_session --
-- What was asked and said in a session, in a project, and that it ended.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE tenant = :tenant AND project = :project AND session = :session
  AND session <> '' AND kind IN ('prompt', 'reply', 'session.end')
ORDER BY time, id LIMIT :limit;

-- how_fixes_went --
-- Of events that taught a fix: how often it worked and failed since.
SELECT r.id, sum(o.worked), sum(o.failed) FROM recipes AS r
JOIN outcomes AS o ON o.tenant = r.tenant AND o.fix = r.fix
WHERE r.tenant = :tenant AND r.id IN (SELECT value FROM json_each(:ids)) GROUP BY r.id;

-- states_of_lessons --
-- Of events that taught a rule: what was decided of it last.
SELECT id, state FROM (
  SELECT l.id, m.state, row_number() OVER (PARTITION BY l.id ORDER BY m.time DESC, m.id DESC) AS place
  FROM lessons AS l JOIN lesson_marks AS m ON m.tenant = l.tenant AND m.lesson = l.lesson
  WHERE l.tenant = :tenant AND l.id IN (SELECT value FROM json_each(:ids))
) AS decided WHERE place = 1;

-- vectors_of_events --
-- The vectors of these events, whole and in parts.
SELECT tenant, project, id, part, vector FROM vectors_@
WHERE tenant IN (SELECT value FROM json_each(:tenants)) AND project IN (SELECT value FROM json_each(:projects))
  AND id IN (SELECT value FROM json_each(:ids)) AND vector IS NOT NULL
ORDER BY tenant, project, id, part;

-- files_of_sessions --
-- The files that sessions of these projects changed, the latest first.
SELECT session, path, max(time) FROM calls
WHERE tenant = :tenant AND project IN (SELECT value FROM json_each(:projects)) AND path <> '' AND failed = 0 AND session <> '' AND tool IN (SELECT value FROM json_each(:editors))
GROUP BY session, path ORDER BY max(time) DESC, path LIMIT :limit;

-- asked_in_sessions --
-- What was asked in these sessions, in order of time.
SELECT session, id, text FROM prompts WHERE tenant = :tenant AND session IN (SELECT value FROM json_each(:sessions)) ORDER BY time, id;

-- events_until --
-- What happened in these projects until a moment, the latest first.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE tenant = :tenant AND project IN (SELECT value FROM json_each(:projects)) AND kind NOT IN (SELECT value FROM json_each(:without)) AND (time, id) <= (:time, :id)
ORDER BY time DESC, id DESC LIMIT :limit;

-- events_since --
-- What happened in these projects after a moment.
SELECT id, time, tenant, project, session, agent, kind, v, body FROM events
WHERE tenant = :tenant AND project IN (SELECT value FROM json_each(:projects)) AND kind NOT IN (SELECT value FROM json_each(:without)) AND (time, id) > (:time, :id)
ORDER BY time ASC, id ASC LIMIT :limit;
