/** The margin of an order if longs covered shorts (DRM-1), beside that of the account's own mode. */

import type { SimulatedLeg, Simulation } from '@venue/protocol';
import { inMicros } from '../../../../basics/micros.ts';
import { bookOf } from '../../../whatif/core/book.ts';
import { PRESENT, WhatIf } from '../../../whatif/core/what-if.ts';
import type { TrayTerms } from './terms.ts';

/** All that the account would lock with the order, in dollars. */
export interface MarginOffer {
  readonly definedRisk: number;
  /** In the account's own mode. */
  readonly present: number;
}

/** From this share of what is locked on, a switch is not worth a word. */
const WORTH_SHARE = 0.9;

/** An order's legs as trades to imagine, or null where it sells nothing and so locks nothing. */
export function imaginedLegs({ legs, qty }: Pick<TrayTerms, 'legs' | 'qty'>): SimulatedLeg[] | null {
  if (legs.every(({ side }) => side === 'buy')) return null;
  return legs.map(({ seriesId, side, ratio }) => ({ seriesId, side, qty: inMicros(ratio * qty) }));
}

/**
 * The offer of defined-risk margin for an account that the venue imagined with the order; null where the account has it, or
 * where it would change little.
 *
 * @param atMs the moment of the answer, by the venue's clock
 */
export function marginOffer(imagined: Simulation, atMs: number): MarginOffer | null {
  const book = bookOf(imagined, atMs);
  if (book.marginMode === 'defined-risk') return null;
  const present = imagined.margin.locked;
  const definedRisk = new WhatIf({ ...book, marginMode: 'defined-risk' }).outlook(PRESENT).locked;
  return definedRisk < present * WORTH_SHARE ? { definedRisk, present } : null;
}
