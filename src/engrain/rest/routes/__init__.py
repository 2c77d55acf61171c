"""The routes, a module for each thing that can be asked or told.

journal     events: single, in batches, read back, forgotten, exported
recalling   search, notes, sessions, projects
fixing      failures, fixes, outcomes
ruling      lessons
entering    a person's way in and out
looking     stats, health, tokens, jobs, the audit log
"""
