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
export { VenueClient } from './client/client.ts';
export { DamagedFileError, mayBeCarriedOut } from './net/errors.ts';
export { Transport, type TransportOptions } from './net/transport.ts';
export { type AuditVerdict, verifyAudit } from './operate/audit.ts';
export { CustodyCalls, type PayoutScope } from './operate/custody.ts';
export { FeedWrites } from './operate/feed.ts';
export type { DailyFile, FileDay, FileReads } from './operate/files.ts';
export { MakerWrites } from './operate/maker.ts';
export { OperatorCalls, type SettleToken, type SettleTokens } from './operate/operator.ts';
