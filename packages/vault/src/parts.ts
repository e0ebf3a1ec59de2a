/** The parts that other daemons of the chain are built from. */

export { AlarmError } from './chain/alarm.ts';
export { usdText } from './chain/amounts.ts';
export type { Chain } from './chain/chain.ts';
export { judgeSignature } from './chain/contract-signature.ts';
export { ChainError } from './chain/errors.ts';
export { Finality } from './chain/finality.ts';
export { FollowedLogs } from './chain/followed-logs.ts';
export type { Block, Hash } from './chain/parse.ts';
export { each } from './chain/rpc.ts';
export { AddressText } from './chain/schemas.ts';
export { statusLog } from './chain/servers.ts';
export { enoughServers, rpcUrlsOf } from './daemon/config.ts';
export { RoundMetrics } from './daemon/metrics.ts';
export { Reminder } from './daemon/reminder.ts';
export { runRounds } from './daemon/rounds.ts';
export { StateFile } from './daemon/state-file.ts';
export { type Commitment, type VaultDeposit, VaultLogs } from './events/vault-logs.ts';
export { ANNOUNCED_KINDS, type Announced, Announcements, isoTime } from './gate/announced.ts';
export { type BatchView, Proposals } from './gate/batches.ts';
export { type GatePayout, pauseCall, proposerIdOf, vetoCall } from './gate/calls.ts';
export { gateEventOf, votesFilter } from './gate/events.ts';
export type { Gate } from './gate/gate.ts';
export { type OpenedGate, openGate } from './gate/open.ts';
export { GateSender } from './gate/sender.ts';
export { openKey } from './keys/open.ts';
export { guardianKeySource, type KeySource } from './keys/source.ts';
export type { TransactionKey } from './keys/transaction-key.ts';
