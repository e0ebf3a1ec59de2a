/** The TypeScript client of the venue. */

export type { AccountReads } from './account.ts';
export { type AuditVerdict, verifyAudit } from './audit.ts';
export type { Auth } from './auth.ts';
export { Backoff, type BackoffOptions, pause } from './backoff.ts';
export { VenueClient } from './client.ts';
export { type CustodyCalls, type PayoutScope, signWithdraw, type Withdrawals } from './custody.ts';
export { VenueError, VenueUnreachableError } from './errors.ts';
export type { Market } from './market.ts';
export { Nonces } from './nonces.ts';
export type { OperatorCalls, SettleTokens } from './operator.ts';
export type { FeedWrites, MakerWrites } from './operators.ts';
export {
  type Orders,
  type OrderTerms,
  signCancel,
  signCancelOrder,
  signMargin,
  signOrder,
} from './orders.ts';
export type { Stream, StreamHandlers } from './stream.ts';
export { isHeaderText, type TransportOptions, venueUrlFault } from './transport.ts';
export { randomPrivateKey, type Session, type Wallet, walletFromPrivateKey } from './wallet.ts';
