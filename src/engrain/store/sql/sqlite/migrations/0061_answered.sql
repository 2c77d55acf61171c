-- At how many failures a fix was shown, without reading every answer.
CREATE INDEX servings_by_failure ON servings (tenant, held, failure);
