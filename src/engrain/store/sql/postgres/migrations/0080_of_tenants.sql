-- A team with few events among many is asked for the latest of them, and for what came since a place, as often as a large one.
CREATE INDEX mem_events_by_tenant_time ON mem_events (tenant, time, id);
CREATE INDEX mem_events_by_tenant_arrival ON mem_events (tenant, seq);
