import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenario } from '../test/scenario.ts';
import { addressOf, micros, type Venue } from '../test/venue.ts';
import { BUY } from './book/book.ts';
import { brokenInvariants } from './invariants.ts';
import type { SettleProposal } from './state/records.ts';

const TRADED = `
  quote AAPL-P-200 bid 4.10x8 ask 4.20x8
  buy alice AAPL-P-200 3 @ market        filled 3@4.20
  buy alice AAPL-P-200 2 @ 3.00          rested
  margin bob on
  sell bob AAPL-P-200 1 @ 4.10           filled 1@4.10
`;

/** The invariants reported after `breakIt` has damaged a venue with trades. */
function broken(breakIt: (venue: Venue) => void): string[] {
  const venue = scenario(TRADED);
  breakIt(venue);
  return [...brokenInvariants(venue.state)];
}

test('a venue with trades breaks none', () => {
  assert.deepEqual(
    broken(() => {}),
    [],
  );
});

const PROPOSAL: SettleProposal = {
  id: 1,
  secret: 1,
  target: { seriesId: 'AAPL-1-C-1' },
  priceMicros: micros('1'),
  ts: 0,
};

const BREAKS: [string, (venue: Venue) => void, RegExp][] = [
  ['cash from nowhere', (venue) => (venue.account('alice').cashMicros = micros('1000000')), /^all cash is/],
  [
    'a one-sided position',
    (venue) => ([...venue.account('bob').positions][0]!.qtyMicros = micros('-2')),
    /^positions of AAPL-.* sum to -1000000 micros$/,
  ],
  [
    'open interest',
    (venue) => (venue.series('AAPL-P-200').openInterestMicros = micros('9')),
    /^open interest of AAPL/,
  ],
  [
    'a reserve without an order',
    (venue) => (venue.account('alice').reservedMicros = micros('7')),
    /^account \d+ reserves 7000000, not 6000000$/,
  ],
  [
    'a miscounted short',
    (venue) => (venue.account('bob').shortCount = 0),
    /^account \d+ counts 0 shorts, not 1$/,
  ],
  ['a frozen trader', (venue) => (venue.account('bob').frozen = true), /^account \d+ is frozen and trades$/],
  [
    'an order in a dead series',
    (venue) => (venue.series('AAPL-P-200').status = 'pending-review'),
    /is pending-review and has orders$/,
  ],
  [
    'an order that nobody promised',
    (venue) => {
      const { book } = venue.series('AAPL-P-200');
      const owner = venue.account('bob').index;
      book.place({ id: 99, owner, side: BUY, price: 1, quantity: 5, remaining: 5, placedAt: 0 });
    },
    /^resting quantities of account \d+ in AAPL/,
  ],
  [
    'a session that nobody remembers',
    (venue) => venue.state.sessions.open(addressOf('phone')),
    /^1 rows of sessions are kept, not 0$/,
  ],
  [
    'payouts that do not add up',
    (venue) => (venue.state.custody.pendingMicros = 1n),
    /^1 micros are pending, not 0$/,
  ],
  [
    'a proposal about what is not under review',
    ({ state }) => {
      state.settleProposals = [PROPOSAL];
    },
    /^proposal 1 is about nothing that waits$/,
  ],
  [
    'more proposals of one secret than may wait',
    ({ state }) => {
      state.settleProposals = Array.from({ length: 17 }, (_, id) => ({ ...PROPOSAL, id, ts: state.ts }));
    },
    /^secret 1 has more than 16 proposals$/,
  ],
  [
    'an order of a batch that is not counted',
    (venue) => venue.state.terms.count(venue.account('alice').index, { resting: 2, timed: 0 }),
    /counts 2 orders of batches, not 0$/,
  ],
  [
    'a row of a set without a level',
    (venue) => {
      const { quoteSets } = venue.state;
      const { index } = venue.account('alice');
      const protection = { windowMs: 1_000, qtyMicros: micros('1'), deltaMicros: null, frozenMs: 0 };
      const set = quoteSets.open(index, 1, { symbol: 'AAPL', protection, ts: 0 });
      quoteSets.rowOf(set, venue.series('AAPL-P-200').sid);
    },
    /^set 1 of account \d+ has a row without a level in series \d+$/,
  ],
  ['an audit cut off', (venue) => (venue.state.audit.head = 'f'.repeat(64)), /^the head of the audit/],
];
for (const [name, breakIt, message] of BREAKS) {
  test(`reports ${name}`, () => {
    const found = broken(breakIt);
    assert.ok(
      found.some((line) => message.test(line)),
      `${message} among: ${found.join('; ')}`,
    );
  });
}
