-- The words of search, each time that one occurs. In it the words that begin alike
-- are found, so that a search for a beginning is one for them.
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(search, instance);
