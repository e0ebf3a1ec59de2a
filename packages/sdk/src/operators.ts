/** The door for operators of a venue: feeds, the market maker, custody, settlement by hand and its audit. */

export type {
  AuditEntry,
  CompactQuote,
  DepositAnswer,
  DepositRequest,
  FeedAnswer,
  FeedPrint,
  HandSettleAnswer,
  HandSettleRequest,
  Held,
  HeldReleaseAnswer,
  MakerAccount,
  MakerPullAnswer,
  MakerSessionAnswer,
  PayoutCommitAnswer,
  PayoutCommitRequest,
  QuotesAnswer,
} from '@venue/protocol';
export { type AuditVerdict, verifyAudit } from './audit.ts';
export { VenueClient } from './client.ts';
export { CustodyCalls, type PayoutScope } from './custody.ts';
export { mayBeCarriedOut } from './errors.ts';
export { FeedWrites } from './feed.ts';
export { MakerWrites } from './maker.ts';
export { OperatorCalls, type SettleTokens } from './operator.ts';
export { Transport, type TransportOptions } from './transport.ts';
