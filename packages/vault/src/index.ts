export { operatorGateAbi, testStablecoinAbi, venueVaultAbi } from './abi.ts';
export { readAddresses, type VaultAddresses } from './addresses.ts';
export { AlarmError } from './alarm.ts';
export { usdText } from './amounts.ts';
export { approvePayout, type SignedPayoutApproval } from './approve.ts';
export { type Artifact, testStablecoinArtifact, vaultArtifact } from './artifact.ts';
export type { Check } from './artifact-checks.ts';
export { type RunAttestorOptions, runAttestor } from './attestor/run.ts';
export { NOTED_AT_ONCE_MAX } from './batcher/noting.ts';
export { type RunBatcherOptions, runBatcher } from './batcher/run.ts';
export { ChainError } from './chain/errors.ts';
export { parseHash } from './chain/parse.ts';
export { readVaultCommitments } from './commitments.ts';
export {
  type ApproverConfig,
  type AttestorConfig,
  type BatcherConfig,
  loadApproverConfig,
  loadAttestorConfig,
  loadBatcherConfig,
  loadReservesConfig,
  loadWatcherConfig,
  type ReservesConfig,
  type WatcherConfig,
} from './config.ts';
export { type DeployOptions, type DeployPlan, type DeployResult, deployVault } from './deploy.ts';
export { VaultDeployError } from './deploy-error.ts';
export { announcedText } from './gate/announced.ts';
export type { BatchView } from './gate/batches.ts';
export { executeCall, pauseCall, proposerIdOf, vetoCall } from './gate/calls.ts';
export { loadGateSignerConfig } from './gate/config.ts';
export { type OpenedGate, openGate } from './gate/open.ts';
export { sendToGate } from './gate/send.ts';
export { type GateStatus, gateStatus } from './gate/status.ts';
export type { GateRequest } from './gate/terms.ts';
export { openKey } from './keys/open.ts';
export { type ReserveReport, readReserves } from './read-reserves.ts';
export { checkReserves, type ReserveCheck } from './reserves.ts';
export { deployTestStablecoin } from './test-stablecoin.ts';
export {
  type ExpectedVault,
  type Verification,
  type VerifyOptions,
  type VerifyTarget,
  verifyVault,
} from './verify.ts';
export { type RunWatcherOptions, runWatcher } from './watcher/run.ts';
