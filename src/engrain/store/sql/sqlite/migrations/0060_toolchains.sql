-- Which tools fail how often, without reading every failure.
CREATE INDEX failures_by_toolchain ON failures (tenant, toolchain, time);
