/** Sends every field of every documented route all kinds of invalid values, on a running service. */

// @process exchange-http
// @seconds 5

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MESSAGES } from '@venue/protocol';
import type { TObject, TSchema } from 'typebox';
import { ask, type Sent } from '../../test/ask.ts';
import { Player } from '../../test/contract/cast.ts';
import { operationsOf, readContract } from '../../test/contract/document.ts';
import { openMarket } from '../../test/contract/market.ts';
import { documentedRoutes } from '../../test/contract/routes.ts';
import { RecordedStage, STAGES } from '../../test/contract/stage.ts';
import { addressOf } from '../../test/support.ts';
import { descriptionOf, type Route } from '../http/route.ts';
import { errorsOf } from './errors.ts';

const LONG = 'A'.repeat(65);
const ODD: readonly unknown[] = [
  ...[undefined, null, true, 5, 1.5, -1, 0, 1e300, '', 'nowhere', 'A,B', 'all', LONG],
  ...[{}, [], [5], [''], ['B'], [LONG], Array(1_001).fill('B')],
];
const ODD_TEXTS = ['', 'nowhere', '-1', '1.5', '0', LONG, '9'.repeat(30)];
const ADDRESS = `0x${'1'.repeat(40)}`;
const SOUND = {
  ...{ seriesId: 'BTC-1-C-1', side: 'buy', qty: 1, price: 1, orderId: 1, enabled: true, amountUsd: 1 },
  actions: [{ type: 'guard', ms: 0 }],
  legs: [],
  ...{ address: ADDRESS, sessionKey: ADDRESS, expiresAt: 1_767_661_200_000, signature: '0x00' },
};
interface Signing {
  readonly sessionKey: string;
  readonly nonce: number;
  readonly signature: string;
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const listed = new Map(
  operationsOf(readContract()).map(([operation, { 'x-field-errors': texts = [] }]) => [operation, texts]),
);

/** The body schemas of a route: its own, or those of the writes that it explains. */
function schemasOf(route: Route): TObject[] {
  const { body } = route;
  const explained = descriptionOf(route)?.explains ?? [];
  const schemas = [...(body && 'properties' in body ? [body] : []), ...explained.map(({ schema }) => schema)];
  return schemas as TObject[];
}

/** Odd values next to a session key are only found when an envelope is built from them. */
function oddBodies(route: Route, signing: Signing): unknown[] {
  const odd = schemasOf(route).flatMap(({ properties, required }) => {
    const fields = Object.keys(properties as Record<string, TSchema>);
    const needed: readonly string[] = required ?? [];
    const sound = Object.fromEntries(Object.entries(SOUND).filter(([field]) => needed.includes(field)));
    return [
      ...fields.map((field) => ({ ...sound, ...signing, [field]: 1e300 })),
      ...fields.flatMap((field) => ODD.map((value) => ({ ...sound, [field]: value }))),
      ...ODD.map((sessionKey) => ({ ...sound, ...signing, sessionKey })),
    ];
  });
  return [undefined, ...ODD, ...odd];
}

const QUERY = {
  symbol: 'BTC',
  expiryTs: '1767661200',
  seriesId: 'BTC-1-C-1',
  address: ADDRESS,
  of: 'spot:BTC',
  interval: '1h',
} as const;

function oddQueries({ query }: Route): URLSearchParams[] {
  if (query === undefined) return [];
  const fields = Object.keys((query as TObject).properties as Record<string, TSchema>);
  const sound = Object.entries(QUERY).filter(([field]) => fields.includes(field));
  return fields.flatMap((field) => {
    const rest = sound.filter(([name]) => name !== field);
    const twice = [field, '1'] as [string, string];
    return [
      ...ODD_TEXTS.map((text) => new URLSearchParams([...rest, [field, text]])),
      ...[new URLSearchParams(rest), new URLSearchParams([...rest, twice, twice])],
    ];
  });
}

/** A push has its number in the path and its signing fields in headers (QTS-1). */
function oddPushes(url: string, headers: Record<string, string>): [string, Sent][] {
  const push = (body: unknown, more: object = {}) => ({
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });
  const signed = { 'x-session-key': 'nowhere', 'x-nonce': '1', 'x-signature': '0x' };
  return [
    [`${url}7`, push({ rows: [] })],
    [url, push({ rows: [] }, signed)],
    [url, push({ rows: 1 })],
    [url, push({ rows: [], quotes: [] })],
  ];
}

/** Legs are checked one by one: their form at first, then as orders, which takes a market (CMB-4). */
async function oddLegs(stage: RecordedStage): Promise<object[]> {
  const seriesId = (await openMarket(stage)).series('C', 100_000);
  const sound = { seriesId, side: 'buy', qty: 1 };
  const fields = ['seriesId', 'side', 'qty', 'price'];
  const odd = fields.flatMap((field) => ODD.map((value) => ({ ...sound, [field]: value })));
  return [...odd.map((leg) => ({ legs: [leg] })), { legs: Array(65).fill(sound) }];
}

/** Every text that the route answered to such requests. */
async function answersOf(stage: RecordedStage, route: Route, alice: Player): Promise<Set<string>> {
  const { headers, key } = alice;
  const signing = { sessionKey: addressOf(key), nonce: stage.nowMs(), signature: '0x' };
  const url = `${stage.url}${route.path.replaceAll(/\{\w+\}/g, '1')}`;
  const more = route.path === '/v1/simulate' ? await oddLegs(stage) : [];
  const requests: [string, Sent][] =
    route.method === 'POST'
      ? [...oddBodies(route, signing), ...more].map((body) => [
          url,
          {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: body === undefined ? '' : JSON.stringify(body),
          },
        ])
      : oddQueries(route).map((query) => [`${url}?${query}`, { headers: { ...headers } }]);
  if (route.signsBytes) requests.push(...oddPushes(url, headers));
  const texts = new Set<string>();
  for (const [to, sent] of requests) {
    const { error } = JSON.parse((await ask(to, sent)).text) as { error?: string };
    if (typeof error === 'string') texts.add(error.replaceAll(/\[\d+\]/g, '[N]'));
  }
  return texts;
}

for (const mode of ['paper', 'deposits'] as const) {
  describe(`the errors of fields in the contract, in ${mode} mode`, () => {
    let stage: RecordedStage;
    let alice: Player;
    before(async () => {
      stage = await RecordedStage.start(STAGES[mode]);
      alice = await Player.enter(stage, 'Alice');
    });
    after(() => stage.stop());

    // A route of both modes is tested in the first.
    for (const route of documentedRoutes().filter(({ modes }) => (modes?.[0] ?? 'paper') === mode)) {
      const operation = nameOf(route);

      it(`${operation} answers exactly these`, async () => {
        const catalogue = new Set<string>([...errorsOf(route)].map((name) => MESSAGES[name].error));
        const seen = await answersOf(stage, route, alice);
        const isOther = (text: string) =>
          catalogue.has(text) || text.startsWith('insufficient withdrawable balance');
        const ofFields = [...seen].filter((text) => !isOther(text) || listed.get(operation)!.includes(text));
        const advice =
          'if the new texts are right, write docs/reference/openapi.yaml again, as its first lines say';
        assert.deepEqual(ofFields.sort(), listed.get(operation), `${operation}: ${advice}`);
      });
    }
  });
}
