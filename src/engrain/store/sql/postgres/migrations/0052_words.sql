-- What an event is found by is given with it: to have the database take the signs out of its text cost more than all the rest.
ALTER TABLE mem_documents ALTER COLUMN words DROP EXPRESSION;
