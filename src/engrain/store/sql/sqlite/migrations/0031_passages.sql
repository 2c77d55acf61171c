-- Texts have a vector for each of their passages, too: those that were made before are made anew.
DROP TABLE IF EXISTS vectors_1;
DROP TABLE IF EXISTS vectors_2;
DROP TABLE IF EXISTS vectors_3;
DROP TABLE IF EXISTS vectors_4;
DROP TABLE IF EXISTS vectors_5;
DROP TABLE IF EXISTS vectors_6;
DROP TABLE IF EXISTS vectors_7;
DROP TABLE IF EXISTS vectors_8;
DELETE FROM vector_tables;
DELETE FROM vector_plans;
DELETE FROM jobs WHERE kind LIKE 'embed:%';
