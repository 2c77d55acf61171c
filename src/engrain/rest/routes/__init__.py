"""The routes, a module for each thing that can be asked or told.

journal     events: single, in batches, read back, forgotten
exporting   the journal, calls of tools, rows to train on
recalling   search, notes, sessions, projects
fixing      failures, fixes, outcomes
ruling      lessons
entering    a person's way in and out
working     tasks, context, patterns, prompts and tool calls, a timeline
hooking     hooks of Claude Code over HTTP
verbs       Memory's own names, for Python's client
looking     stats, health, tokens, jobs, the audit log
"""
