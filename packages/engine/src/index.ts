export { type BookSide, BUY, NIL, SELL } from './book.ts';
export { lastSpent } from './challenges.ts';
export * from './command.ts';
export { decodeCommand, decodeEntry, encodeCommand } from './command-codec.ts';
export { parameterConflict } from './configure.ts';
export { isOutstanding } from './custody.ts';
export { type CashMovement, type Effects, NO_EFFECTS, type TapePrint } from './effects.ts';
export { apply } from './engine.ts';
export {
  assertWritable,
  FEATURE_LEVEL,
  FeatureLevelError,
  FIRST_FEATURE_LEVEL,
  isWritable,
  levelInForce,
  NewerLogError,
} from './feature-level.ts';
export { houseExposureMicros, houseHeadroomMicros } from './house-line.ts';
export { brokenInvariants } from './invariants.ts';
export * from './limits.ts';
export { isTradable, strikeLadderMicros, strikeStepMicros } from './listings.ts';
export {
  buyingPowerMicros,
  ENTRY,
  equityMicros,
  isCalled,
  isInMarginCall,
  lockedMicros,
  MAINTENANCE,
  type MarginLevel,
  type MarginTerms,
  maintenanceMicros,
  marginMicros,
  marginTerms,
  positionUnrealizedMicros,
  riskOf,
  shortExposureMicros,
  unrealizedMicros,
} from './margin.ts';
export { intrinsicMicros, markMicros, positionMarkMicros } from './marks.ts';
export * from './outcome.ts';
export { type AccountAmounts, amountsOf, type OrderPreview, previewOrder } from './preview.ts';
export { isStanding, rowFault } from './quote-row.ts';
export { isLiveSession } from './quotes.ts';
export { costMicros, ownerOf, seriesOf, sideOf } from './resting.ts';
export { accountsOfSessionKey, checkApproval, checkNonce, checkSession, liveSessions } from './sessions.ts';
export { isSnapshotVersion, restoreState, snapshotVersion, stateDigest, stateLines } from './snapshot.ts';
export { isFeedFresh } from './spots.ts';
export type {
  Account,
  AccountIndex,
  AccountRole,
  AuditLog,
  Decision,
  Deposit,
  FillRecord,
  Instrument,
  OracleRefusal,
  Payout,
  Position,
  PriceSource,
  Series,
  SeriesStatus,
  SessionRecord,
  Sid,
  SourceAverage,
  State,
} from './state.ts';
export { createState, FEES, HOUSE, MAKER, parametersOf } from './state.ts';
export { WARM_UP_COMMANDS, WarmUp } from './warm-up.ts';
