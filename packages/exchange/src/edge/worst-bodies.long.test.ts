// @seconds 8

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leastCpuMs } from '../../test/least-cpu.ts';
import { listedState } from '../../test/listed.ts';
import { worstPushBytes, worstPushLists } from '../../test/worst-pushes.ts';
import { bodyLimitOf, type Route } from '../http/route.ts';
import { routesOf } from '../http/routes/index.ts';
import type { Services } from '../http/services.ts';
import { readJson } from './body.ts';
import { handlingOf } from './handling.ts';

const HELD_MS_MAX = 20;
const MEASURED = { enoughMs: HELD_MS_MAX / 2, attemptsMax: 12 };

/** Items with which to fill the lists of a body. */
const ITEMS = [
  ...['"A"', '""', '1', '1e300', '0.1234567890123456789012345', 'null', '"\\u0041"'],
  ...['{}', '[]', '[[[[[]]]]]', '{"a":1}', '{"a":{"a":{"a":{}}}}'],
];

const state = listedState();
/** With listings and no other service, because such a body is judged before any service is used. */
const routes = routesOf({ state } as Services, 'deposits').filter(({ method }) => method === 'POST');

/** A large body, and what a machine of usual speed takes to parse it. */
const USUAL = JSON.stringify(
  Array.from({ length: 10_000 }, () => ({
    seriesId: 'X-1780401600-C-50',
    bids: [[1.234567, 0.123456]],
    asks: [],
  })),
);
const USUAL_PARSE_MS = 6;
/** The bound, longer on a machine that is slower than usual in this very run. */
const boundMs = HELD_MS_MAX * Math.max(1, leastCpuMs(MEASURED, () => JSON.parse(USUAL)) / USUAL_PARSE_MS);

describe('the worst that a body of the allowed size costs (OWN-39)', () => {
  for (const route of routes) {
    it(`POST ${route.path} holds the event loop for less than ${HELD_MS_MAX} ms, or no longer than the parser would`, () => {
      for (const [what, text] of worstBodies(route)) {
        const bytes = Buffer.from(text);
        assert.ok(bytes.length <= bodyLimitOf(route));
        const heldMs = leastCpuMs(MEASURED, () => carryOut(route, () => readJson(bytes)));
        if (heldMs < boundMs) continue;
        const parseMs = leastCpuMs(MEASURED, () => JSON.parse(text));
        assert.ok(heldMs < 2 * parseMs, `${what}: ${heldMs} ms, parsed in ${parseMs} ms`);
      }
    });
  }

  for (const route of routes.filter(({ takesQuoteBytes }) => takesQuoteBytes)) {
    it(`POST ${route.path} holds it for less than ${HELD_MS_MAX} ms in bytes, too (OWN-62)`, () => {
      for (const [what, bytes] of worstPushBytes(state.series, bodyLimitOf(route))) {
        assert.ok(bytes.length <= bodyLimitOf(route));
        const heldMs = leastCpuMs(MEASURED, () => carryOut(route, () => bytes));
        assert.ok(heldMs < boundMs, `${what}: ${heldMs} ms, and ${boundMs} are allowed`);
      }
    });
  }
});

function carryOut(route: Route, readBody: () => unknown): void {
  const request = { headers: {}, params: new Map(), query: '', bearer: null, bytes: null, bodyFault: null };
  try {
    Promise.resolve(handlingOf(route)({ ...request, body: readBody() })).catch(() => {});
  } catch {
    // A refusal.
  }
}

function* worstBodies(route: Route): Generator<[what: string, text: string]> {
  const size = bodyLimitOf(route);
  for (const [field, item] of listsIn(route)) {
    const list = (count: number) => `{"${field}":[${Array(count).fill(item).join(',')}]}`;
    const full = Math.floor((size - list(0).length) / (Buffer.byteLength(item) + 1));
    const most = Math.min(full, countMax(item));
    yield [`${field} with as many ${item} as it may hold`, list(most)];
    if (most < full) yield [`${field} full of ${item}`, list(full)];
  }
  for (const filler of ['x', '\\"', '\\\\', 'é']) {
    const count = Math.floor((size - 20) / Buffer.byteLength(filler));
    yield [`a text of ${filler}`, `{"symbol":"${filler.repeat(count)}"}`];
    yield [`a key of ${filler}`, `{"${filler.repeat(count)}":1}`];
  }
  yield ['digits', `{"qty":${'1'.repeat(size - 10)}}`];
  yield ['nothing', `{"symbol"${' '.repeat(size - 20)}:1}`];
  const pairs = Math.floor((size - 2) / '"a":1,'.length);
  yield ['one repeated key', `{${Array(pairs).fill('"a":1').join(',')}}`];
}

function* listsIn(route: Route): Generator<[field: string, item: string]> {
  if (route.takesQuoteBytes) yield* worstPushLists(state.series);
  const { properties = {} } = (route.body ?? {}) as { properties?: Record<string, unknown> };
  const fields = route.takesQuoteBytes ? ['rows'] : Object.keys(properties);
  const field = fields.includes('symbols') ? 'symbols' : (fields[0] ?? 'symbols');
  for (const item of ITEMS) yield [field, item];
}

/** The most items that fit within the bounds on values, counted by their commas, and on containers. */
function countMax(item: string): number {
  const count = (of: RegExp) => item.match(of)?.length ?? 0;
  return Math.floor(Math.min(32_768 / (count(/,/g) + 1), 16_382 / Math.max(1, count(/[[{]/g))));
}
