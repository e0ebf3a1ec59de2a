export { LogClosedError, LogOpenError, StampConflictError } from './errors.ts';
export type { Follower, FollowOptions, Head, Log, LogEntry, LogItem, Snapshot } from './log.ts';
export { type MemoryLogOptions, MemoryStore, openMemoryLog } from './memory.ts';
export { openSqliteLog, type SqliteLogOptions } from './sqlite.ts';
