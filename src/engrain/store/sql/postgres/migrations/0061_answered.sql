-- At how many failures a fix was shown, without reading every answer.
CREATE INDEX mem_servings_by_failure ON mem_servings (tenant, held, failure);
