/**
 * Generates docs/reference/limits.md from what `GET /v1/venue` answers of a venue with the default parameters.
 *
 *   node_modules/.bin/node scripts/limits.ts
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '@venue/config';
import { LIMITS } from '@venue/protocol/wire';
import { limitsOf } from '../packages/exchange/src/http/venue-limits.ts';

const { VENUE_NONCES_PER_KEY, VENUE_QUOTE_TTL_MS, VENUE_SET_LEVELS_MAX } = VARIABLES;

/** The limits of a venue whose environment sets none. */
export const DEFAULT_LIMITS: Readonly<Record<string, number>> = limitsOf({
  noncesPerKeyMax: Number(VENUE_NONCES_PER_KEY.default),
  quoteTtlMs: Number(VENUE_QUOTE_TTL_MS.default),
  setLevelsMax: Number(VENUE_SET_LEVELS_MAX.default),
});

const INTRODUCTION = `# Limits

For programmers of clients. After this page you can say which limits a client meets, and where to read those in force.

<!-- made by scripts/limits.ts; a test compares the two -->

\`GET /v1/venue\` answers each in \`limits\`, under the same name; read them there, as an operator can change some (\`VENUE_NONCES_PER_KEY\`, \`VENUE_QUOTE_TTL_MS\`, \`VENUE_SET_LEVELS_MAX\`), and a release others ([VEN-2](decisions/http.md#ven-2-the-venue-describes-itself)). Those a minute are the edge's, for one client address; the others are the service's own.

| limit | by default | what it bounds |
|---|---|---|`;

/** The text of the page. */
export function limitsPage(): string {
  const rows = Object.entries(LIMITS).map(
    ([name, meaning]) => `| \`${name}\` | ${shown(name, DEFAULT_LIMITS[name]!)} | ${meaning} |`,
  );
  return `${[INTRODUCTION, ...rows].join('\n')}\n`;
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
