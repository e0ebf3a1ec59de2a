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
      contract: {
        id: 'venue',
        tag: 'Service',
        summary: 'The id of the venue, its rules in force and its limits',
        text: 'Pin `venue` to the address: a batch names it, and another id at the same address is another deployment (VEN-1). `seq` is the last entry that the answer shows, as in the header `x-venue-seq` of every answer.',
        errors: ['notYetUpgraded'],
      },
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
