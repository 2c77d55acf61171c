-- Whether a session has an episode is asked of each of its events before one goes.
CREATE INDEX episodes_by_session ON episodes (tenant, session);
