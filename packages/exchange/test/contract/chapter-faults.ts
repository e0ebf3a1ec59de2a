/** The errors that follow from the route table alone, for every documented route. */

import type { Route } from '../../src/http/route.ts';
import type { ExampleRequest } from '../../src/openapi/examples.ts';
import { addressOf } from '../support.ts';
import { Player, walletOf } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { faultsOf, type Sound } from './faults.ts';
import { documentedRoutes } from './routes.ts';
import type { Scribe } from './scribe.ts';
import type { Stage } from './stage.ts';

const SERIES_ID = 'BTC-1767661200-C-100000';
const ADDRESS = addressOf(walletOf('Alice'));
const KEY = addressOf(walletOf("Alice's session key"));

/** Requests of the right shape; a route that is absent needs neither body nor query. */
const SOUND: ReadonlyMap<string, Sound> = new Map<string, Sound>([
  ['GET /v1/chain', { query: { symbol: 'BTC', expiryTs: '1767661200' } }],
  ['POST /v1/auth/verify', { body: { address: ADDRESS, signature: '0x00' } }],
  [
    'POST /v1/auth/session',
    { body: { address: ADDRESS, sessionKey: KEY, expiresAt: 1_767_661_200_000, signature: '0x00' } },
  ],
  [
    'POST /v1/auth/session/contract',
    { body: { address: ADDRESS, sessionKey: KEY, expiresAt: 1_767_661_200_000, signature: '0x00' } },
  ],
  [
    'POST /v1/auth/session/contract/revoke',
    { body: { address: ADDRESS, sessionKey: KEY, signature: '0x00' } },
  ],
  ['GET /v1/auth/session/contract', { query: { id: '1' } }],
  ['POST /v1/auth/session/revoke', { body: { address: ADDRESS, sessionKey: KEY, signature: '0x00' } }],
  ['POST /v1/order', { body: { seriesId: SERIES_ID, side: 'buy', qty: 1, price: 100 } }],
  ['POST /v1/order/preview', { body: { seriesId: SERIES_ID, side: 'buy', qty: 1, price: 100 } }],
  ['POST /v1/simulate', { body: { legs: [], spotShift: 0.1, volShift: 0.05 } }],
  ['POST /v1/order/cancel', { body: { orderId: 1 } }],
  ['POST /v1/batch', { body: { actions: [{ type: 'guard', ms: 30_000 }] } }],
  ['POST /v1/quote-sets/{set}', { body: { quotes: [{ seriesId: SERIES_ID, bids: [[100, 1]] }] } }],
  ['POST /v1/margin', { body: { enabled: true } }],
  ['POST /v1/withdraw', { body: { amountUsd: 1 } }],
]);

/** Each route is tested in a mode that has it; those of both modes in paper mode. */
export const FAULTS: readonly Chapter[] = (['paper', 'deposits'] as const).map((on) => ({
  title: `shapes in ${on} mode`,
  on,
  play: async (stage, scribe) => {
    const alice = await Player.enter(stage, 'Alice');
    for (const route of documentedRoutes().filter((row) => (row.modes?.[0] ?? 'paper') === on))
      await recordFaults(stage, scribe, { route, alice });
  },
}));

async function recordFaults(
  stage: Stage,
  scribe: Scribe,
  { route, alice }: { route: Route; alice: Player },
): Promise<void> {
  const operation = `${route.method} ${route.path}`;
  const sound = {
    ...SOUND.get(operation),
    ...(route.access === 'bearer' && { headers: alice.headers }),
  };
  for (const { name, summary, request } of faultsOf(route, sound)) {
    if (scribe.has(operation, name)) continue;
    await scribe.record(stage, {
      operation,
      name,
      summary,
      request: { ...request, ...paramsOf(route.path) },
    });
  }
}

/** Something for each part that a path leaves open. */
function paramsOf(path: string): Pick<ExampleRequest, 'params'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, '1'] as const);
  return names.length === 0 ? {} : { params: Object.fromEntries(names) };
}

/** Routes of the other mode do not exist, with or without credentials (FINE-3). */
export const ABSENT: Chapter = {
  title: 'routes that paper mode lacks',
  on: 'paper',
  play: async (stage, scribe) => {
    for (const { method, path } of documentedRoutes().filter(
      ({ modes }) => modes?.includes('paper') === false,
    ))
      await scribe.record(stage, {
        operation: `${method} ${path}`,
        name: 'notFound',
        summary: 'In paper mode',
        request: {
          ...paramsOf(path),
          ...(method === 'POST' && { body: {} }),
        },
      });
  },
};
