-- The vector of a version. The chain does not vouch for vectors: they can be made again.
CREATE TABLE embeddings (
  namespace TEXT NOT NULL,
  seq       BIGINT NOT NULL, -- of the version
  model     TEXT NOT NULL,
  hash      BYTEA NOT NULL,  -- of what the vector is made of
  vector    REAL[] NOT NULL, -- of length one
  PRIMARY KEY (namespace, seq)
);
CREATE INDEX embeddings_hash ON embeddings (namespace, hash);

-- What the vectors of a model are like in a namespace.
CREATE TABLE spaces (
  namespace TEXT NOT NULL,
  model     TEXT NOT NULL,
  dims      BIGINT NOT NULL, -- numbers of each vector
  filled    BIGINT NOT NULL, -- how often vectors were filled in, after their memories were written
  PRIMARY KEY (namespace, model)
);

-- When the next memory is in force no more.
CREATE INDEX versions_invalid ON versions (namespace, invalid) WHERE invalid IS NOT NULL;
