/** Verifies a log, exports or archives its entries, and gives a copy an id of its own, without a running node. */

export { type Archived, type ArchiveLogOptions, archiveLog, copyOldEntries } from './archive/archive.ts';
export { type Exported, type ExportOptions, exportLog } from './archive/export.ts';
export type { OnProgress, Progress } from './archive/progress.ts';
export { LogToolError } from './archive/tool-error.ts';
export { type Rekeyed, rekeyLog } from './rekey/rekey.ts';
export { FollowedLog, type FollowOptions } from './verify/follow.ts';
export type { NotedPoint } from './verify/noted-head.ts';
export { type Proof, UnusableProofError } from './verify/proof.ts';
export type { AttestedApproval } from './verify/replay.ts';
export type { CustodyTotals, VerifiedEntries, VerifyFacts, VerifyReport } from './verify/report.ts';
export { type VerifyOptions, verifyLog } from './verify/verify.ts';
