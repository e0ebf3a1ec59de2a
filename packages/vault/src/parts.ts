/** What other daemons of the chain are built from. */

export { AlarmError } from './alarm.ts';
export { usdText } from './amounts.ts';
export { judgeSignature } from './attestor/judge.ts';
export type { Chain } from './chain/chain.ts';
export { ChainError } from './chain/errors.ts';
export { Finality } from './chain/finality.ts';
export { FollowedLogs } from './chain/followed-logs.ts';
export type { Block, Hash } from './chain/parse.ts';
export { each } from './chain/rpc.ts';
export { statusLog } from './chain/servers.ts';
export { type Commitment, type VaultDeposit, VaultLogs } from './chain/vault-logs.ts';
export { enoughServers, rpcUrlsOf } from './config.ts';
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
export { RoundMetrics } from './metrics.ts';
export { Reminder } from './reminder.ts';
export { runRounds } from './rounds.ts';
export { isAddress, isHash, isList, isObject } from './shape.ts';
export { StateFile } from './state-file.ts';
