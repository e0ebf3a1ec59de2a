export { lastSpent } from './accounts/challenges.ts';
export { lapsesAt, openParked } from './accounts/parked.ts';
export {
  accountsOfSessionKey,
  checkApproval,
  checkNonce,
  checkSession,
  liveSessions,
} from './accounts/sessions.ts';
export { type BookSide, BUY, type OrderHandle, SELL } from './book/book.ts';
export { parameterConflict } from './configure.ts';
export { apply } from './engine.ts';
export * from './entry/command.ts';
export { decodeCommand, decodeEntry, encodeCommand } from './entry/command-codec.ts';
export * from './entry/custody-command.ts';
export {
  type AmendedOrder,
  type CashMovement,
  type CloseCause,
  type Effects,
  NO_EFFECTS,
  type OpenedCombo,
  type OpenedLeg,
  type OpenedOrder,
  type OrderListener,
  type TapePrint,
} from './entry/effects.ts';
export {
  assertWritable,
  FEATURE_LEVEL,
  FeatureLevelError,
  FIRST_FEATURE_LEVEL,
  isWritable,
  levelInForce,
  NewerLogError,
  parametersAt,
} from './entry/feature-level.ts';
export * from './entry/outcome.ts';
export { isTradable, strikeStepMicros, strikesAroundMicros } from './expiry/listings.ts';
export { type SettlementSoFar, settlementSoFar } from './expiry/oracle.ts';
export { recentMedianMicros } from './expiry/recent-spots.ts';
export { openProposals } from './expiry/settle-proposals.ts';
export { isFeedFresh } from './expiry/spots.ts';
export { brokenInvariants } from './invariants.ts';
export { isStopped, stopEndMs } from './liquidation/jumps.ts';
export { houseExposureMicros, houseHeadroomMicros, houseLineMicros } from './quoting/house-line.ts';
export { isStanding } from './quoting/quote-row.ts';
export { isLiveQuoteSession } from './quoting/quotes.ts';
export { rowFault } from './quoting/row-faults.ts';
export { type ArrivedPush, arrivalOf, isTaken } from './quoting/set-arrival.ts';
export type { PushRefused } from './quoting/set-push.ts';
export type { RowResult } from './quoting/set-row.ts';
export {
  buyingPowerMicros,
  equityMicros,
  isInMarginCall,
  lockedMicros,
  maintenanceMarginMicros,
  marginMicros,
  positionUnrealizedMicros,
  riskOf,
  shortExposureMicros,
  unrealizedMicros,
} from './risk/margin.ts';
export { marginGroups } from './risk/margin-groups.ts';
export { markMicros } from './risk/marks.ts';
export type { Risk } from './risk/risk.ts';
export { type MarkParts, markParts, positionMarkMicros, yearsLeft } from './risk/risk-marks.ts';
export type { MarketShift } from './risk/shifted-marks.ts';
export { type MarginTerms, marginTerms } from './risk/units.ts';
export {
  isSnapshotVersion,
  Restoration,
  restoreState,
  snapshotVersion,
  stateDigest,
  stateLines,
} from './snapshot.ts';
export type { Account, AccountRole, Payout, PayoutApproval, PayoutProof } from './state/account.ts';
export { costMicros } from './state/cost.ts';
export { type Binding, isOutstanding } from './state/custody.ts';
export { FEATURE_LEVELS, type FeatureLevel } from './state/feature-levels.ts';
export { type AccountIndex, FEES, HOUSE, MAKER, type Sid } from './state/ids.ts';
export * from './state/limits.ts';
export type { AssetClass, FundingMode, OracleParameters, VenueParameters } from './state/parameters.ts';
export type { Position } from './state/positions.ts';
export {
  isSetOwner,
  ownerOfSet,
  type Protection,
  type QuoteSet,
  type QuoteSets,
  type SetRow,
} from './state/quote-sets.ts';
export type {
  Attestation,
  AuditLog,
  Deposit,
  FillRecord,
  ParkedAnswer,
  ParkedApproval,
  SettleProposal,
  SettleTarget,
} from './state/records.ts';
export type {
  Decision,
  Instrument,
  Jump,
  OracleRefusal,
  PriceSource,
  Series,
  SeriesStatus,
  Side,
  SourceAverage,
} from './state/series.ts';
export type { SessionRecord } from './state/session.ts';
export { createState, parametersOf, type State } from './state/state.ts';
export type { ComboRequest } from './trading/combos/combo.ts';
export { comboTerms } from './trading/combos/place.ts';
export { type ComboPreview, previewCombo } from './trading/combos/preview.ts';
export { guardAt, nextDeadlineMs } from './trading/due.ts';
export type { OrderRequest } from './trading/order-checks.ts';
export {
  type AccountAmounts,
  amountsOf,
  type OrderPreview,
  type PreviewedOrder,
  previewOrder,
} from './trading/preview.ts';
export { ownerOf, seriesOf, sideOf } from './trading/resting.ts';
export {
  type Holding,
  type Imagined,
  type LegFault,
  legFaultOf,
  type Simulation,
  simulate,
} from './trading/simulate.ts';
