export { type RunAttestorOptions, runAttestor } from './attestor/run.ts';
export { approvePayout, type SignedPayoutApproval } from './batcher/approve.ts';
export { NOTED_AT_ONCE_MAX } from './batcher/noting.ts';
export { type RunBatcherOptions, runBatcher } from './batcher/run.ts';
export { AlarmError } from './chain/alarm.ts';
export { usdText } from './chain/amounts.ts';
export { ChainError } from './chain/errors.ts';
export { parseHash } from './chain/parse.ts';
export { operatorGateAbi, testStablecoinAbi, venueVaultAbi } from './contract/abi.ts';
export { readAddresses, type VaultAddresses } from './contract/addresses.ts';
export { type Artifact, testStablecoinArtifact, vaultArtifact } from './contract/artifact.ts';
export type { Check } from './contract/artifact-checks.ts';
export { VaultDeployError } from './contract/deploy-error.ts';
export type { GateRequest } from './contract/gate-terms.ts';
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
} from './daemon/config.ts';
export { type DeployOptions, type DeployPlan, type DeployResult, deployVault } from './deploy/deploy.ts';
export { deployTestStablecoin } from './deploy/test-stablecoin.ts';
export {
  type ExpectedVault,
  type Verification,
  type VerifyOptions,
  type VerifyTarget,
  verifyVault,
} from './deploy/verify.ts';
export { announcedText } from './gate/announced.ts';
export type { BatchView } from './gate/batches.ts';
export { executeCall, pauseCall, proposerIdOf, vetoCall } from './gate/calls.ts';
export { loadGateSignerConfig } from './gate/config.ts';
export { type OpenedGate, openGate } from './gate/open.ts';
export { sendToGate } from './gate/send.ts';
export { type GateStatus, gateStatus } from './gate/status.ts';
export { openKey } from './keys/open.ts';
export { readVaultCommitments } from './reserves/commitments.ts';
export { type ReserveReport, readReserves } from './reserves/read-reserves.ts';
export { checkReserves, type ReserveCheck } from './reserves/reserves.ts';
export { type RunWatcherOptions, runWatcher } from './watcher/run.ts';
