export {
  BatchDigest,
  type BatchPlace,
  CHAIN_ORIGIN,
  type ChainFault,
  ChainVerifier,
  chainHash,
} from './chain.ts';
export {
  LogAbsentError,
  LogArchivedAheadError,
  LogArchivedError,
  LogArchiveError,
  LogClockError,
  LogClosedError,
  LogDamagedError,
  LogDivergedError,
  LogError,
  LogFailedError,
  LogFullError,
  LogOpenError,
  LogReplacedError,
  LogUnavailableError,
  messageOf,
  StampConflictError,
} from './errors.ts';
export type {
  BatchRecord,
  ChainPoint,
  Flush,
  Follower,
  FollowOptions,
  Head,
  Log,
  LogEntry,
  LogItem,
  LogNode,
  LogStatus,
  ReadOnlyLog,
  Snapshot,
} from './log.ts';
export { type MemoryLogOptions, MemoryStore, openMemoryLog } from './memory.ts';
export {
  type LogOptions,
  type LogSpec,
  openFollowedLog,
  openLog,
  openLogReader,
  parseLogSpec,
} from './open.ts';
export type { LogReader } from './reader.ts';
export { openSqliteLog, type SqliteLogOptions } from './sqlite/log.ts';
