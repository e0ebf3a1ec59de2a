/** The consequences of the tray's order, worked out once for its figures and for the line over its button. */

import { useDrawnSpot } from '../../../terminal/use-market.ts';
import { usePayoff } from '../../../terminal/use-payoff.ts';
import type { Tray } from '../core/form/order.ts';
import type { Payoff } from '../core/payoff/payoff.ts';
import type { PayoffLeg } from '../core/payoff/payoff-leg.ts';
import { namedLegs } from '../core/tray/legs.ts';
import type { QuoteOf } from '../core/tray/net.ts';
import { type Consequences, consequencesOf, payoffLegs, type TrayTerms } from '../core/tray/terms.ts';
import { useSame } from '../PayoffPicture.tsx';

export interface TrayConsequences {
  readonly terms: TrayTerms;
  /** The underlying of the legs, and its spot. */
  readonly symbol: string;
  readonly spot: number;
  /** Null where they are more than the venue can count. */
  readonly found: Consequences | null;
  /** The counted part of the order as legs of a payoff: the same array until its content changes. */
  readonly own: readonly PayoffLeg[];
  /** Null before it is computed. */
  readonly payoff: Payoff | null;
}

/** Null while the tray holds no order. */
export function useConsequences(
  terms: TrayTerms | null,
  { preview }: Pick<Tray, 'preview'>,
  quoteOf: QuoteOf,
): TrayConsequences | null {
  const found = terms === null ? null : consequencesOf(terms, preview);
  const own = useSame(terms === null || found === null ? [] : payoffLegs(terms, found.counted, quoteOf));
  const symbol = terms === null ? null : (namedLegs(terms.legs)[0]?.symbol ?? null);
  const spot = useDrawnSpot(symbol);
  const payoff = usePayoff(own, { spot });
  return terms === null || symbol === null ? null : { terms, symbol, spot, found, own, payoff };
}
