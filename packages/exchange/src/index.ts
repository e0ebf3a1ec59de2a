/** The node around engine and log, and the tools that read a log without a node. */

export { type Archived, type ArchiveLogOptions, archiveLog } from './archive/archive.ts';
export { type Exported, type ExportOptions, exportLog } from './archive/export.ts';
export type { OnProgress, Progress } from './archive/progress.ts';
export { LogToolError } from './archive/tool-error.ts';
export { checkExchange } from './check.ts';
export { type Config, loadConfig, loadLogSpec } from './config.ts';
export { runExchange } from './main.ts';
export { type Exchange, type ExchangeDeps, startExchange } from './node.ts';
export type { NotedPoint } from './verify/noted-head.ts';
export type { CustodyTotals, VerifiedEntries, VerifyFacts, VerifyReport } from './verify/report.ts';
export { type VerifyOptions, verifyLog } from './verify/verify.ts';
