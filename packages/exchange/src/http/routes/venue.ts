/** How the venue describes itself (VEN-2). */

import {
  CLIENT_ID_REMEMBERED_MS,
  CLIENT_IDS_REMEMBERED,
  NONCE_WINDOW_MS,
  parametersOf,
  RESTING_ORDERS_MAX,
  SESSION_LIFETIME_MAX_MS,
  SET_LEVEL_RESERVE_MICROS,
  SET_LEVELS_OF_ALL_MAX,
  type State,
  TAKER_FEE_BPS,
  TIMED_ORDERS_MAX,
  VISITS_MAX,
} from '@venue/engine';
import {
  BATCH_ACTIONS_MAX,
  BATCH_CANCEL_SERIES_MAX,
  FROZEN_MS_MAX,
  GUARD_MS_MAX,
  GUARD_MS_MIN,
  isSimulated,
  microsToDecimal,
  QUOTE_SETS_MAX,
  SET_LEVELS_MAX,
  toMicros,
  WINDOW_MS_MAX,
  WINDOW_MS_MIN,
} from '@venue/protocol';
import { VenueSchema } from '@venue/protocol/wire';
import { BATCH_BUDGET } from '../../stream/channels/inbox.ts';
import { CHANNELS_MAX, MESSAGE_BYTES_MAX } from '../channel-limits.ts';
import { refuse } from '../errors.ts';
import { type Route, route } from '../route.ts';
import type { Services } from '../services.ts';

/** Limits that clients should know; those a minute are the edge's, for one address (HTTP-10). */
const FIXED_LIMITS = {
  actionsPerBatch: BATCH_ACTIONS_MAX,
  timedOrders: TIMED_ORDERS_MAX,
  restingOrders: RESTING_ORDERS_MAX,
  seriesPerBatchCancels: BATCH_CANCEL_SERIES_MAX,
  visitsPerEntry: VISITS_MAX,
  guardMsMin: GUARD_MS_MIN,
  guardMsMax: GUARD_MS_MAX,
  clientIdKnownMs: CLIENT_ID_REMEMBERED_MS,
  clientIdsKnown: CLIENT_IDS_REMEMBERED,
  clientIdLength: 36,
  nonceWindowMs: NONCE_WINDOW_MS,
  sessionMsMax: SESSION_LIFETIME_MAX_MS,
  ordersPerMinute: 60,
  cancelsPerMinute: 60,
  signInsPerMinute: 10,
  requestsPerMinute: 300,
  batchesPerMinute: 300,
  pushesPerMinute: 600,
  quoteSets: QUOTE_SETS_MAX,
  setLevels: SET_LEVELS_MAX,
  setLevelReserve: microsToDecimal(toMicros(SET_LEVEL_RESERVE_MICROS)),
  windowMsMin: WINDOW_MS_MIN,
  windowMsMax: WINDOW_MS_MAX,
  frozenMsMax: FROZEN_MS_MAX,
  streamChannels: CHANNELS_MAX,
  streamMessageBytes: MESSAGE_BYTES_MAX,
  streamBatchesPerSecond: BATCH_BUDGET.perSecond,
  streamBatchBurst: BATCH_BUDGET.burst,
} as const;

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
        const { fundingMode, marginPremium, riskMark = 'book', jumpStopBps = 0 } = parameters;
        const { setLevelsMax = SET_LEVELS_OF_ALL_MAX } = parameters;
        const time = Math.floor(now());
        return {
          ...{ venue, time, seq, fundingMode, riskMark, jumpStopBps, marginPremium },
          takerFeeBps: TAKER_FEE_BPS,
          simulatedPrices: (fundingMode === 'deposits' && takesSimulatedPrices) || areSimulated(state),
          limits: { ...FIXED_LIMITS, setLevelsOfAll: setLevelsMax },
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
