/**
 * Everything clients and the exchange must agree on. Wire objects are exported here as types only; their schemas are in
 * `./wire`, and signing with a private key in `./signing`.
 */

export { sha256 } from '@noble/hashes/sha2.js';
export { bytesToHex } from '@noble/hashes/utils.js';
export type { AmendAction } from './actions/amend.ts';
export type { CancelAction } from './actions/cancel.ts';
export type { CancelAllAction, CancelScope } from './actions/cancel-all.ts';
export {
  COMBO_LEGS_MAX,
  COMBO_LEGS_MIN,
  type ComboAction,
  type ComboActionWire,
  type ComboLeg,
  LEG_RATIO_MAX,
} from './actions/combo.ts';
export { type BatchEnvelopeFields, batchEnvelope } from './actions/envelope.ts';
export { GUARD_MS_MAX, GUARD_MS_MIN, type GuardAction } from './actions/guard.ts';
export type { ActionWire, BatchAction, BatchActionType, GrantedType } from './actions/index.ts';
export { BATCH_ACTIONS_MAX, BATCH_CANCEL_SERIES_MAX } from './actions/limits.ts';
export { areLoggedActions } from './actions/logged.ts';
export type { MarginMode, MarginModeAction } from './actions/margin-mode.ts';
export type { PlaceAction, PlaceActionWire } from './actions/place.ts';
export type { ProtectAction, ProtectActionWire } from './actions/protect.ts';
export { readAction, readActions } from './actions/read.ts';
export type { OrderRef } from './actions/ref.ts';
export {
  allowsFlag,
  CLIENT_ID,
  CLIENT_ID_LENGTH_MAX,
  isRestingTif,
  ORDER_FLAGS,
  type OrderFlag,
  type OrderTerms,
  type SelfTradePrevention,
  TERM_NAMES,
  TIMES_IN_FORCE,
  type TimeInForce,
} from './actions/terms.ts';
export type { UnfreezeAction, UnfreezeActionWire } from './actions/unfreeze.ts';
export { type Address, type Hex, parseAddress } from './address.ts';
export { EPOCH_SPAN, NONCE_WINDOW_MS, SESSION_LIFETIME_MAX_MS } from './agreed-limits.ts';
export {
  AUDIT_GENESIS,
  type AuditBody,
  type AuditFacts,
  type AuditGate,
  type AuditRecord,
  type AuditStep,
  auditHash,
  auditText,
  type OperatorAction,
  type SettlementAttempt,
} from './audit.ts';
export {
  addressOfPublicKey,
  parseSignature,
  personalDigest,
  recoverAddress,
  recoverPersonal,
  type Signature,
  type Signer,
} from './eip191.ts';
export { isHeaderText, venueUrlFault } from './endpoint.ts';
export {
  cancelEnvelope,
  cancelOrderEnvelope,
  challengeMessage,
  type EnvelopeFault,
  EnvelopeFieldError,
  type EnvelopeFields,
  hasLineBreak,
  marginEnvelope,
  type OrderEnvelopeFields,
  orderEnvelope,
  type PayoutApprovalTerms,
  payoutApprovalMessage,
  type SessionTerms,
  sessionApprovalMessage,
  sessionRevokeMessage,
  withdrawEnvelope,
} from './envelopes.ts';
export { AMOUNT_REJECT, type Amounts, amountsIn } from './messages/amounts.ts';
export { EDGE_MESSAGES, PUSH_MESSAGES } from './messages/around.ts';
export { CATALOGUE } from './messages/catalogue.ts';
export { type Declined, declined } from './messages/declined.ts';
export { empty, FIELDS, fieldIn, malformed, required, wrong } from './messages/fields.ts';
export { HELPS, type VenueCode } from './messages/helps.ts';
export {
  belowSmallestPayout,
  type ErrorName,
  followerRefusal,
  GAP_MESSAGES,
  insufficientWithdrawable,
  MESSAGES,
} from './messages/messages.ts';
export {
  BATCH_REJECT,
  houseLineExceeded,
  insufficientBuyingPower,
  insufficientMargin,
  REJECT,
  type ReasonCode,
  type RejectReason,
  ROW_REJECT,
  type RowFault,
} from './messages/reasons.ts';
export { codeOf, filled, type PublicError } from './messages/refusal.ts';
export { newYorkDay } from './new-york.ts';
export { OPERATOR_NAME } from './operator-name.ts';
export { isSimulated, SIMULATED_PREFIX } from './price-sources.ts';
export {
  DEVICE_NAME_MAX,
  deviceId,
  NEWS_KINDS,
  type NewsKind,
  PUSH_DEVICES_MAX,
  type PushAct,
  type PushDevice,
  type PushDevices,
  type PushEnvelopeFields,
  type PushMessage,
  type PushRequest,
  type PushSubscriptionTerms,
  type PushTerms,
  pushEnvelope,
} from './push.ts';
export {
  decodeQuotes,
  decodeQuotesAnswer,
  encodeQuotes,
  encodeQuotesAnswer,
  type MicrosLevel,
  type MicrosQuote,
  QUOTE_LEVELS_MAX,
  QUOTES_CONTENT_TYPE,
  QuoteCodecError,
} from './quote-codec.ts';
export {
  FROZEN_MS_MAX,
  type PushForm,
  QUOTE_SETS_MAX,
  type QuotesEnvelopeFields,
  quotesEnvelope,
  SET_LEVELS_MAX,
  WINDOW_MS_MAX,
  WINDOW_MS_MIN,
} from './quote-sets.ts';
export {
  formatDecimal,
  formatSeriesId,
  parseSeriesId,
  type Right,
  type SeriesTerms,
  SYMBOL,
  underlyingOf,
  upperSymbol,
} from './series.ts';
export type { SpreadKind } from './spreads/shapes.ts';
export {
  add,
  clampMicros,
  decimalToMicros,
  ExactSum,
  formatCents,
  MICROS_MAX,
  MICROS_PER_UNIT,
  type Micros,
  microsToDecimal,
  mulDivCeil,
  mulDivCeilClamped,
  mulDivFloor,
  mulDivFloorClamped,
  ProductSum,
  subtract,
  toMicros,
  UnitsOverflowError,
  ZERO,
} from './units.ts';
export type * from './wire/index.ts';
