-- Which tools fail how often, without reading every failure.
CREATE INDEX mem_failures_by_toolchain ON mem_failures (tenant, toolchain, time);
