/** The small door, for browsers: everything a trader needs, with the same names as at the main door. */

export { openChannels } from './client/open-channels.ts';
export { type ClientOptions, TraderClient as VenueClient } from './client/trader.ts';
export type { HourSpan } from './market/hours.ts';
export type { CandleSpan, ExpiryOf, Market, TradePage, TradesOf } from './market/market.ts';
export { Backoff, type BackoffOptions, pause } from './net/backoff.ts';
export type { Decimal } from './net/decimal.ts';
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
} from './net/errors.ts';
export type { WebSocketConstructor, WebSocketLike } from './net/socket.ts';
export type { CallOptions, RequestNews, ResponseNews, TransportOptions } from './net/transport.ts';
export type * from './net/wire.ts';
export type { Quote, QuoteLevels, SidQuote } from './quote/quote-terms.ts';
export type { PushOptions, Quotes, SidPushOptions } from './quote/quotes.ts';
export type { Auth, ContractApprovalOptions, EnvelopeExplanation } from './sign/auth.ts';
export {
  discoverWallets,
  type InjectedProvider,
  type InjectedWallet,
  walletFromProvider,
} from './sign/injected.ts';
export {
  type OrderTerms,
  signCancel,
  signCancelOrder,
  signMargin,
  signOrder,
  signWithdraw,
} from './sign/signed-bodies.ts';
export {
  type AnyWallet,
  type EthersSigner,
  exportSession,
  randomPrivateKey,
  type Session,
  type ViemWalletClient,
  type Wallet,
  walletFromPrivateKey,
} from './sign/wallet.ts';
export type { ChannelsOptions } from './stream/channel-connection.ts';
export type { ChannelMessage } from './stream/channel-link.ts';
export {
  type ChannelHandlers,
  Channels,
  type FillsOptions,
  type MembersOf,
  type TradesOptions,
} from './stream/channels.ts';
export type { LocalAccount } from './stream/local-account.ts';
export type { LocalBook } from './stream/local-book.ts';
export type { AccountReads, FillPage, Imagined, ImaginedLeg, StatementSpan } from './trade/account.ts';
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
} from './trade/actions.ts';
export type { BatchAnswer, BatchOptions, WriteOptions } from './trade/batches.ts';
export type { Guard, GuardFailure, GuardLapse, GuardOptions } from './trade/guard.ts';
export type { Answered, OrderQuery, Orders } from './trade/orders.ts';
export { type Findings, OutcomeUnknownError, type Retried, type WriteVerdict } from './trade/outcome.ts';
export type { Withdrawals } from './trade/withdrawals.ts';
