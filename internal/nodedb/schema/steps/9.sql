-- What of cache_creation was put there for an hour, what the model thought, and 1 for
-- the provider's faster and dearer mode.
ALTER TABLE usage ADD COLUMN cache_creation_1h INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN reasoning INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN fast INTEGER NOT NULL DEFAULT 0;
