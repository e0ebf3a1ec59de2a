/** The small door, for browsers: everything a trader needs, with the same names as at the main door. */

export type { AccountReads, FillPage, Imagined, ImaginedLeg, StatementSpan } from './account.ts';
export type {
  Action,
  ActionResult,
  AmendTerms,
  CancelAllResult,
  CancelScope,
  ComboDeclined,
  ComboLeg,
  ComboResult,
  ComboTaken,
  ComboTerms,
  ModeResult,
  OrderDeclined,
  OrderRef,
  OrderTaken,
  PlaceResult,
  PlaceTerms,
  ProtectTerms,
  ReasonFields,
  ResultsOf,
  SetResult,
} from './actions.ts';
export type { Auth, ContractApprovalOptions, EnvelopeExplanation } from './auth.ts';
export { Backoff, type BackoffOptions, pause } from './backoff.ts';
export type { BatchAnswer, BatchOptions, WriteOptions } from './batches.ts';
export type { ChannelsOptions } from './channel-connection.ts';
export type { ChannelMessage } from './channel-link.ts';
export {
  type ChannelHandlers,
  Channels,
  type FillsOptions,
  type MembersOf,
  type TradesOptions,
} from './channels.ts';
export type { Decimal } from './decimal.ts';
export {
  AbortedError,
  ChannelEndedError,
  ClockOffError,
  ConflictError,
  type ErrorCode,
  ForbiddenError,
  isRefusedAs,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  SetFrozenError,
  StalePushError,
  TooLargeError,
  UnauthorizedError,
  UnavailableError,
  UnknownSetError,
  VenueChangedError,
  VenueClientError,
  VenueError,
  VenueTimeoutError,
  VenueUnreachableError,
} from './errors.ts';
export type { Follower, FollowHandlers, FollowOptions } from './follow.ts';
export type { Guard, GuardFailure, GuardLapse, GuardOptions } from './guard.ts';
export type { HourSpan } from './hours.ts';
export {
  discoverWallets,
  type InjectedProvider,
  type InjectedWallet,
  walletFromProvider,
} from './injected.ts';
export type { LocalBook } from './local-book.ts';
export type { CandleSpan, ExpiryOf, Market, TradePage, TradesOf } from './market.ts';
export { openChannels } from './open-channels.ts';
export type { Answered, OrderQuery, Orders } from './orders.ts';
export { type Findings, OutcomeUnknownError, type Retried, type WriteVerdict } from './outcome.ts';
export type { Quote, QuoteLevels, SidQuote } from './quote-terms.ts';
export type { PushOptions, Quotes, SidPushOptions } from './quotes.ts';
export {
  type OrderTerms,
  signCancel,
  signCancelOrder,
  signMargin,
  signOrder,
  signWithdraw,
} from './signed-bodies.ts';
export type { WebSocketConstructor, WebSocketLike } from './socket.ts';
export { type ClientOptions, TraderClient as VenueClient } from './trader.ts';
export type { CallOptions, RequestNews, ResponseNews, TransportOptions } from './transport.ts';
export {
  type AnyWallet,
  type EthersSigner,
  exportSession,
  randomPrivateKey,
  type Session,
  type ViemWalletClient,
  type Wallet,
  walletFromPrivateKey,
} from './wallet.ts';
export type * from './wire.ts';
export type { Withdrawals } from './withdrawals.ts';
