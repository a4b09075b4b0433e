package journal

// TryLock lets a test hold the lock of a journal.
var TryLock = tryLock
