import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LIMITS } from '@venue/protocol/wire';
import { DEFAULT_LIMITS, limitsPage } from './limits.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('docs/reference/limits.md is generated from the code, with a value for each limit (VEN-2)', () => {
  assert.equal(
    read('docs/reference/limits.md'),
    limitsPage(),
    'run node_modules/.bin/node scripts/limits.ts',
  );
  assert.deepEqual(Object.keys(DEFAULT_LIMITS).sort(), Object.keys(LIMITS).sort());
  for (const [name, value] of Object.entries(DEFAULT_LIMITS)) assert.ok(value > 0, `${name} is ${value}`);
});

/** Where bounds are declared. */
const DECLARED = [
  'packages/engine/src/state/limits.ts',
  'packages/exchange/src/auth/challenges.ts',
  'packages/exchange/src/auth/tokens.ts',
  'packages/exchange/src/http/channel-limits.ts',
  'packages/exchange/src/http/json.ts',
  ...[
    'actions/combo',
    'actions/guard',
    'actions/limits',
    'actions/terms',
    'agreed-limits',
    'quote-codec',
    'quote-sets',
    'wire/orders',
    'wire/primitives',
    'wire/simulate',
  ].map((name) => `packages/protocol/src/${name}.ts`),
];
const BOUND = /^export const ([A-Z][A-Z_]*(?:_MAX|_MIN|_MS|_KEPT|_REMEMBERED|MAX_MS|MAX_MICROS))\b/gm;

/** Bounds that no client meets in a request of its own, by whom they concern. */
const OF_OTHERS = new Set([
  // The state's own memory and its work.
  ...[
    'SESSION_GRACE_MS',
    'CHALLENGE_REMEMBERED_MS',
    'FAILED_CHALLENGES_MAX',
    'PARKED_ANSWERS_KEPT',
    'AUDIT_KEPT',
  ],
  ...[
    'QUOTE_ATTEMPTS_KEPT',
    'DECISIONS_KEPT',
    'EXPIRIES_MAX',
    'EPOCH_MAX',
    'EXPIRING_QUOTES_MAX',
    'PARKED_MAX',
  ],
  ...['FUNDED_MAX_MICROS', 'LIQUIDATION_DEBT_MAX_MICROS', 'SETTLEMENT_DEBT_MAX_MICROS'],
  // The rules of the market, which have pages of their own.
  ...[
    'ANNOTATED_IV_MAX',
    'ANNOTATION_MS',
    'ANNOTATION_RENEWED_MS',
    'ORACLE_WINDOW_MS',
    'JUMP_MS',
    'SECOND_MS',
  ],
  // Operators and feeds.
  ...['SOURCES_PER_SYMBOL_MAX', 'SOURCE_NAME_LENGTH_MAX', 'APPROVALS_PER_PAYOUT_MAX', 'REASON_LENGTH_MAX'],
  ...['HAND_BPS_MAX', 'SETTLE_PROPOSAL_MS', 'SETTLE_PROPOSALS_MAX', 'BIND_REQUEST_MS'],
]);

test('every bound of a request is among the limits that the venue answers (VEN-2)', () => {
  // Named where it is imported, and where it is used.
  const limits = read('packages/exchange/src/http/venue-limits.ts');
  const bounds = DECLARED.flatMap((path) => [...read(path).matchAll(BOUND)].map(([, name]) => name!));
  assert.ok(bounds.length > 40, `${bounds.length} bounds`);
  assert.deepEqual(
    bounds.filter((name) => !OF_OTHERS.has(name) && limits.split(new RegExp(`\\b${name}\\b`)).length < 3),
    [],
    'a new bound stands in venue-limits.ts and LIMITS, or above with the reason why no client meets it',
  );
  assert.deepEqual(
    [...OF_OTHERS].filter((name) => !bounds.includes(name)),
    [],
  );
});
