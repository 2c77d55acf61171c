-- Whether a session has an episode is asked of each of its events before one goes.
CREATE INDEX mem_episodes_by_session ON mem_episodes (tenant, session);
