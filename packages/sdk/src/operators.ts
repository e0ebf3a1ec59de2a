/** The door for operators of a venue: feeds, the market maker, custody, settlement by hand and its audit. */

export type {
  AdoptRequest,
  AuditEntry,
  BindAnswer,
  BindRequest,
  CompactQuote,
  DepositAnswer,
  DepositDoubtAnswer,
  DepositDoubtRequest,
  DepositRequest,
  EpochRequest,
  ExposedAccount,
  ExposedExpiry,
  ExposureReport,
  FeedAnswer,
  FeedPrint,
  FreezeRequest,
  HandSettleAnswer,
  HandSettleRequest,
  Held,
  HeldReleaseAnswer,
  LedgerDeposit,
  MakerAccount,
  MakerPullAnswer,
  MakerSessionAnswer,
  OpenProposal,
  OperatorPayout,
  PayoutAnswer,
  PayoutApproveRequest,
  PayoutCommitAnswer,
  PayoutCommitRequest,
  PayoutWaitRequest,
  SettleConfirmRequest,
  SettleProposeAnswer,
  VoidRequest,
} from '@venue/protocol';
export { type AuditVerdict, verifyAudit } from './audit.ts';
export { VenueClient } from './client.ts';
export { CustodyCalls, type PayoutScope } from './custody.ts';
export { DamagedFileError, mayBeCarriedOut } from './errors.ts';
export { FeedWrites } from './feed.ts';
export type { DailyFile, FileDay, FileReads } from './files.ts';
export { MakerWrites } from './maker.ts';
export { OperatorCalls, type SettleToken, type SettleTokens } from './operator.ts';
export { Transport, type TransportOptions } from './transport.ts';
