/**
 * Generates docs/reference/limits.md from what `GET /v1/venue` answers of a venue with the default parameters, and from
 * the weights of visits in the engine.
 *
 *   node_modules/.bin/node scripts/limits.ts
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '@venue/config';
import { LIMITS } from '@venue/protocol/wire';
import {
  VISITS_PER_COPY,
  VISITS_PER_FILL,
  VISITS_PER_GROUPED,
  VISITS_PER_LEAVING,
  VISITS_PER_POSITION,
  VISITS_PER_QUOTE,
  VISITS_PER_SET,
  VISITS_PER_SWITCHED,
} from '../packages/engine/src/state/limits.ts';
import { limitsOf } from '../packages/exchange/src/http/venue-limits.ts';

const { VENUE_NONCES_PER_KEY, VENUE_QUOTE_TTL_MS, VENUE_SET_LEVELS_MAX } = VARIABLES;

/** The limits of a venue whose environment sets none. */
export const DEFAULT_LIMITS: Readonly<Record<string, number>> = limitsOf({
  noncesPerKeyMax: Number(VENUE_NONCES_PER_KEY.default),
  quoteTtlMs: Number(VENUE_QUOTE_TTL_MS.default),
  setLevelsMax: Number(VENUE_SET_LEVELS_MAX.default),
});

const INTRODUCTION = `# Limits

For client developers. After this page you can size requests to the venue's limits, and read those in force.

<!-- made by scripts/limits.ts; a test compares the two -->

Read them from \`limits\` of \`GET /v1/venue\`: operators can change \`VENUE_NONCES_PER_KEY\`, \`VENUE_QUOTE_TTL_MS\` and \`VENUE_SET_LEVELS_MAX\`, and releases the others ([VEN-2](decisions/http.md#ven-2-the-venue-describes-itself)). Limits per minute are the edge's, for one client address; the venue enforces the others itself.

| limit | by default | what it bounds |
|---|---|---|`;

const VISITS_INTRODUCTION = `## Visits

Each action of a batch spends some of the entry's \`visitsPerEntry\`; a preview has as many of its own ([BAT-7](decisions/batches.md#bat-7-how-much-one-request-may-cost)). A combo counts what each leg looks at alone, what the legs look at together and, where legs share the allowance of a quote set, the quotes of that set at each halving.

| looked at or changed | visits |
|---|---|`;

const VISITS: readonly (readonly [string, number | string])[] = [
  ['a resting order', 1],
  ['a quote of a set', VISITS_PER_QUOTE],
  ['a quote of the set in `protect` and `unfreeze`', 1],
  ['a fill', VISITS_PER_FILL],
  [
    'a quote that leaves because its set is used up',
    `${VISITS_PER_LEAVING}; by a combo ${2 * VISITS_PER_LEAVING}`,
  ],
  ['a position, once an entry: of the account, and of those whose sets it fills', VISITS_PER_POSITION],
  ['a row of a set that it fills, once an entry', 1],
  [
    'a position in a group that changes, in the margin mode `defined-risk`',
    `${VISITS_PER_GROUPED}; by a combo ${2 * VISITS_PER_GROUPED}`,
  ],
  ['a position, when the margin mode is switched', VISITS_PER_SWITCHED],
  ['an order that a preview copies', VISITS_PER_COPY],
  ['a set that a preview copies', VISITS_PER_SET],
  ['a row of a set, or a position, that a preview copies', 1],
];

/** The text of the page. */
export function limitsPage(): string {
  const rows = Object.entries(LIMITS).map(
    ([name, meaning]) => `| \`${name}\` | ${shown(name, DEFAULT_LIMITS[name]!)} | ${meaning} |`,
  );
  const visits = VISITS.map(([what, count]) => `| ${what} | ${count} |`);
  return `${[INTRODUCTION, ...rows, '', VISITS_INTRODUCTION, ...visits].join('\n')}\n`;
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'min'],
  [1_000, 's'],
];

function shown(name: string, value: number): string {
  const [whole, fraction] = String(value).split('.');
  const text = [Number(whole).toLocaleString('en'), fraction].filter((part) => part !== undefined).join('.');
  const unit = /Ms(Min|Max)?$/.test(name) ? UNITS.find(([ms]) => value >= 2 * ms) : undefined;
  return unit === undefined ? text : `${text} (${value / unit[0]} ${unit[1]})`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../docs/reference/limits.md', import.meta.url), limitsPage());
