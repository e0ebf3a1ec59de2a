/** Reads a log without a running node: its stamp, its snapshots, its entries and their signatures. */

export { canApply } from './can-apply.ts';
export { snapshotFrom, snapshotOfIdle, textBlocks } from './make-snapshot.ts';
export { bodyFault, type ChainedLog, placeLine, restoreSnapshot } from './restore-snapshot.ts';
export { type Implementation, loadRecovery, type Recovery } from './signatures/recovery.ts';
export { openVerifier, type Verifier, type VerifierOptions } from './signatures/verifier.ts';
export { checkStamp, STAMPED_PARAMETERS, stampFault, stampOf } from './stamp.ts';
