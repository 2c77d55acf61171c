-- Texts have a vector for each of their passages, too: those that were made before are made anew.
DROP TABLE IF EXISTS mem_vectors_1;
DROP TABLE IF EXISTS mem_vectors_2;
DROP TABLE IF EXISTS mem_vectors_3;
DROP TABLE IF EXISTS mem_vectors_4;
DROP TABLE IF EXISTS mem_vectors_5;
DROP TABLE IF EXISTS mem_vectors_6;
DROP TABLE IF EXISTS mem_vectors_7;
DROP TABLE IF EXISTS mem_vectors_8;
DELETE FROM mem_vector_tables;
DELETE FROM mem_vector_plans;
DELETE FROM mem_jobs WHERE kind LIKE 'embed:%';
