import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allRoutes } from '../../test/contract/routes.ts';
import { readJson } from './body.ts';
import { handlingOf } from './handling.ts';
import { bodyLimitOf, type Route } from './route.ts';

const HELD_MS_MAX = 20;
const ATTEMPTS = 4;

/** Lists of them are what a body can be full of. */
const ITEMS = [
  ...['"A"', '""', '1', '1e300', '0.1234567890123456789012345', 'null', '"\\u0041"'],
  ...['{}', '[]', '[[[[[]]]]]', '{"a":1}', '{"a":{"a":{"a":{}}}}'],
];

/** A push of quotes may be longer, and only the holder of the maker's secret can send one (OWN-62). */
const routes = allRoutes().filter(({ method, takesQuoteBytes }) => method === 'POST' && !takesQuoteBytes);

describe('the worst that a body of the allowed size costs (OWN-39)', () => {
  for (const route of routes) {
    it(`POST ${route.path} holds the event loop for less than ${HELD_MS_MAX} ms, or no longer than the parser would`, () => {
      for (const [what, text] of worstBodies(route)) {
        const bytes = Buffer.from(text);
        assert.ok(bytes.length <= bodyLimitOf(route));
        const heldMs = leastCpuMs(() => carryOut(route, bytes));
        if (heldMs < HELD_MS_MAX) continue;
        const parseMs = leastCpuMs(() => JSON.parse(text));
        assert.ok(heldMs < 2 * parseMs, `${what}: ${heldMs} ms, parsed in ${parseMs} ms`);
      }
    });
  }
});

/** Without services: what such a body comes to is decided before anything is asked of them. */
function carryOut(route: Route, bytes: Uint8Array): void {
  const request = { headers: {}, params: new Map(), query: {}, bearer: null, bodyFault: null };
  try {
    handlingOf(route)({ ...request, body: readJson(bytes) }).catch(() => {});
  } catch {
    // A refusal.
  }
}

function* worstBodies(route: Route): Generator<[what: string, text: string]> {
  const size = bodyLimitOf(route);
  const { properties = {} } = (route.body ?? {}) as { properties?: Record<string, unknown> };
  const fields = Object.keys(properties);
  const field = fields.includes('symbols') ? 'symbols' : (fields[0] ?? 'symbols');
  for (const item of ITEMS) yield [`${field} with ${item}`, listOf(item, size, `{"${field}":[`, ']}')];
  for (const filler of ['x', '\\"', '\\\\', 'é']) {
    const count = Math.floor((size - 20) / Buffer.byteLength(filler));
    yield [`a text of ${filler}`, `{"symbol":"${filler.repeat(count)}"}`];
    yield [`a key of ${filler}`, `{"${filler.repeat(count)}":1}`];
  }
  yield ['digits', `{"qty":${'1'.repeat(size - 10)}}`];
  yield ['nothing', `{"symbol"${' '.repeat(size - 20)}:1}`];
  yield ['one key again and again', listOf('"a":1', size, '{', '}')];
}

function listOf(item: string, size: number, head: string, tail: string): string {
  const count = Math.floor((size - head.length - tail.length) / (Buffer.byteLength(item) + 1));
  return `${head}${Array(count).fill(item).join(',')}${tail}`;
}

/** Of several attempts, as other work on the machine only ever adds to it. */
function leastCpuMs(act: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ATTEMPTS && least > HELD_MS_MAX / 2; i++) {
    const before = process.threadCpuUsage();
    act();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
