export { type BookSide, BUY, NIL, SELL } from './book.ts';
export * from './command.ts';
export { parameterConflict } from './configure.ts';
export { stateDigest } from './digest.ts';
export { type Effects, NO_EFFECTS, type TapePrint } from './effects.ts';
export { apply } from './engine.ts';
export * from './limits.ts';
export { isTradable, strikeLadderMicros, strikeStepMicros } from './listings.ts';
export {
  buyingPowerMicros,
  equityMicros,
  isInMarginCall,
  lockedMicros,
  maintenanceMicros,
  positionUnrealizedMicros,
  unrealizedMicros,
} from './margin.ts';
export { intrinsicMicros, markMicros, positionMarkMicros } from './marks.ts';
export * from './outcome.ts';
export { sideOf } from './resting.ts';
export { accountsOfSessionKey, checkApproval, checkNonce, checkSession, liveSessions } from './sessions.ts';
export { isFeedFresh } from './spots.ts';
export type {
  Account,
  AccountIndex,
  AccountRole,
  FillRecord,
  Instrument,
  Position,
  PriceSource,
  Series,
  SeriesStatus,
  SessionRecord,
  Sid,
  State,
} from './state.ts';
export { createState, FEES, HOUSE, MAKER } from './state.ts';
