/** The payoff of legs, computed by the worker. */

import { useEffect, useState } from 'react';
import type { Payoff } from '../areas/order/core/payoff/payoff.ts';
import type { PayoffLeg } from '../areas/order/core/payoff/payoff-leg.ts';
import { PayoffThread } from '../areas/order/core/payoff/payoff-thread.ts';
import { venueNowMs } from '../market/clock.ts';
import { useTerminal } from './terminal.ts';

const thread = new PayoffThread();

interface Answered {
  readonly subject: string;
  readonly payoff: Payoff | null;
}

/**
 * Null before the first answer. The last payoff is shown until the next comes, but never for other contracts, or for
 * something else of the same contracts.
 *
 * @param legs the same object as long as their content is unchanged
 * @param of what the legs are, where they may be one or the other
 */
export function usePayoff(
  legs: readonly PayoffLeg[],
  {
    spot,
    expiryTs,
    of = '',
    alsoAt,
  }: {
    readonly spot: number;
    readonly expiryTs?: number | null;
    readonly of?: string;
    readonly alsoAt?: number | undefined;
  },
): Payoff | null {
  const { stores } = useTerminal();
  const [answered, setAnswered] = useState<Answered | null>(null);
  const subject = `${of} ${contractsOf(legs)}`;
  useEffect(() => {
    let isGone = false;
    if (legs.length === 0) return undefined;
    const moment = {
      ...{ spot, nowMs: venueNowMs(stores.link) },
      ...(expiryTs != null && { expiryTs }),
      ...(alsoAt !== undefined && { alsoAt }),
    };
    void thread.ask(legs, moment).then((payoff) => {
      if (!isGone) setAnswered({ subject, payoff });
    });
    return () => {
      isGone = true;
    };
  }, [stores, legs, spot, expiryTs, alsoAt, subject]);
  return answered?.subject === subject ? answered.payoff : null;
}

/** Each once: an order of which a part fills and a part rests has two legs on one contract. */
function contractsOf(legs: readonly PayoffLeg[]): string {
  return [...new Set(legs.map(({ seriesId, qty }) => `${qty > 0 ? '+' : '-'}${seriesId}`))].join(' ');
}
