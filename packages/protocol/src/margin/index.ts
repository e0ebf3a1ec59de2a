/** The venue's margin as a function of numbers alone: the engine computes with it, and so does a page that asks what if. */

export { cheapestCover } from './covers.ts';
export { greatestLoss } from './greatest-loss.ts';
export {
  type GroupRule,
  hasShort,
  maintenanceOf,
  requirementMicros,
  singlyMicros,
  smaller,
} from './group.ts';
export { type Leg, Legs } from './legs.ts';
export { minutesLeft, modelPriceMicros, payoutMaxMicros, yearsOf } from './model.ts';
export {
  chargeMicros,
  ENTRY_MARGIN,
  floorMicros,
  intrinsicMicros,
  MAINTENANCE_MARGIN,
  type MarginRates,
  type PayoffTerms,
  premiumMicros,
  shockMicros,
} from './unit.ts';
