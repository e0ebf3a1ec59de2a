/** How the venue describes itself (VEN-2). */

import { parametersOf, type State, TAKER_FEE_BPS } from '@venue/engine';
import { isSimulated } from '@venue/protocol';
import { VenueSchema } from '@venue/protocol/wire';
import { refuse } from '../errors.ts';
import { type Route, route } from '../route.ts';
import type { Services } from '../services.ts';
import { limitsOf } from '../venue-limits.ts';

export function venueRoutes({ state, now, takesSimulatedPrices }: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/venue',
      access: 'public',
      answer: VenueSchema,
      contract: { summary: 'The id of the venue, its rules in force and its limits' },
      handle: () => {
        const { venue, seq } = state;
        if (venue === null) refuse('notYetUpgraded');
        const parameters = parametersOf(state);
        const { fundingMode, marginPremium, riskMark, jumpStopBps } = parameters;
        const time = Math.floor(now());
        return {
          ...{ venue, time, seq, fundingMode, riskMark, jumpStopBps, marginPremium },
          takerFeeBps: TAKER_FEE_BPS,
          simulatedPrices: (fundingMode === 'deposits' && takesSimulatedPrices) || areSimulated(state),
          limits: limitsOf(parameters),
          receiptKey: null,
        };
      },
    }),
  ];
}

/** True where a spot has a simulated price in it: one that was fresh at the newest print of its underlying (FEED-1). */
function areSimulated(state: State): boolean {
  const { sourceStaleMs } = parametersOf(state);
  return [...state.instruments.values()].some(({ sources }) => {
    const newestTs = Math.max(...[...sources.values()].map(({ ts }) => ts));
    return [...sources].some(([name, { ts }]) => isSimulated(name) && newestTs - ts <= sourceStaleMs);
  });
}
