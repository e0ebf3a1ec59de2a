import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MICROS_MAX } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { addressOf, Venue } from '../../test/venue.ts';
import { restoreState, stateLines } from '../snapshot.ts';
import { FUNDED_MAX_MICROS } from '../state/limits.ts';
import type { VenueParameters } from '../state/parameters.ts';

const DEPOSITS: Partial<VenueParameters> = { fundingMode: 'deposits', marginPremium: 'intrinsic' };

/** Everything in the state except the number and time of the last entry. */
function contents({ state }: Venue): unknown[] {
  const [venue = '', ...rest] = stateLines(state);
  return [{ ...JSON.parse(venue), seq: null, ts: null }, ...rest];
}

/** The same venue, restored from its snapshot. */
function restoredOf({ state, log }: Venue): Venue {
  return Object.assign(new Venue(DEPOSITS), { state: restoreState(stateLines(state)), log: [...log] });
}

/** Runs lines that must not change anything. */
function changesNothing(lines: string, venue: Venue): void {
  const before = contents(venue);
  scenario(lines, venue);
  assert.deepEqual(contents(venue), before);
}

describe('DEP-1 a deposit', () => {
  test('is credited to an account that its owner has opened', () => {
    scenario(
      `
      open alice
      account alice                          cash 0 held 0 frozen no
      deposit alice 100.000001 log a:0       credited
      deposit alice 0.000001 log a:1         credited
      deposit alice 50 log b:0               credited
      account alice                          cash 150.000002 held 0 buyingPower 150.000002 frozen no
      custody                                deposits 3 funded 150.000002 pending 0 committed 0
    `,
      DEPOSITS,
    );
  });

  test('credits once, however often it is reported, even after a withdrawal', () => {
    const venue = scenario('open alice\ndeposit alice 100 log a:0\nwithdraw alice 30    payout 1', DEPOSITS);
    changesNothing(
      `
      deposit alice 100 log a:0              duplicate
      wait 30d
      deposit alice 100 log a:0              duplicate
    `,
      venue,
    );
    scenario('account alice    cash 70', venue);
  });

  test('another log of the same transaction, or the same index in another, is a different deposit', () => {
    scenario(
      `
      open alice
      deposit alice 1 log a:1
      deposit alice 1 log a:11
      deposit alice 1 log a1:1
      account alice                          cash 3
    `,
      DEPOSITS,
    );
  });

  for (const [what, line] of [
    ['address', 'deposit bob 100 log a:0'],
    ['amount', 'deposit alice 100.000001 log a:0'],
    ['block', 'deposit alice 100 log a:0 block 8'],
    ['block hash', 'deposit alice 100 log a:0 hash fork'],
    ['address, nobody signed in with', 'deposit stranger 100 log a:0'],
  ]) {
    test(`the same log with a different ${what} is a conflict and changes nothing`, () => {
      const venue = scenario('open alice\nopen bob\ndeposit alice 100 log a:0', DEPOSITS);
      changesNothing(`${line}    refused deposit conflict`, venue);
      changesNothing('deposit alice 100 log a:0    duplicate', venue);
    });
  }

  for (const [what, place] of [
    ['number', 'block 8'],
    ['hash', 'hash fork'],
  ]) {
    test(`CUS-2 a transaction known from a block of another ${what} is a conflict, whatever its log index`, () => {
      const venue = scenario('open alice\ndeposit alice 100 log a:0\ndeposit alice 1 log a:1', DEPOSITS);
      changesNothing(`deposit alice 100 log a:2 ${place}    refused deposit conflict`, venue);
      changesNothing(`deposit alice 100 log a:2 ${place}    refused deposit conflict`, restoredOf(venue));
      scenario('deposit alice 5 log a:2\naccount alice    cash 106', venue);
    });
  }

  test("conflicts and repeats of a held account's deposit are treated like any other", () => {
    const venue = scenario('deposit carol 100 log a:0    held', DEPOSITS);
    changesNothing(
      `
      deposit carol 100 log a:0              duplicate
      deposit carol 99 log a:0               refused deposit conflict
    `,
      venue,
    );
    scenario('release carol    released 100', venue);
    changesNothing('deposit carol 100 log a:0    duplicate', venue);
  });
});

describe('NUM-1 the maximum that may be paid in', () => {
  const MOST = '4503599627.370495';

  test('is half the exact range, to the micro, over all accounts and held deposits', () => {
    assert.equal(FUNDED_MAX_MICROS, (MICROS_MAX - 1) / 2);
    const venue = scenario(
      `
      open alice
      deposit carol 100 log c:0              held
      deposit alice 4503599527.370496 log a:0    refused deposits past what the ledger can hold
      deposit alice 4503599527.370495 log a:0
      custody                                funded ${MOST} deposits 2
    `,
      DEPOSITS,
    );
    changesNothing(
      `
      deposit alice 0.000001 log b:0         refused deposits past what the ledger can hold
      deposit bob 9007199254.740991 log b:0  refused deposits past what the ledger can hold
      deposit carol 100 log c:0              duplicate
    `,
      venue,
    );
  });

  test('has room again after a withdrawal, and the refused deposit is then credited', () => {
    scenario(
      `
      open alice
      open bob
      deposit alice ${MOST} log a:0
      deposit bob 1 log b:0                  refused deposits past what the ledger can hold
      withdraw alice 1                       payout 1
      deposit bob 1 log b:0                  credited
      account bob                            cash 1
      deposit bob 0.000001 log b:1           refused deposits past what the ledger can hold
    `,
      DEPOSITS,
    );
  });
});

describe('DEP-2 a deposit from an address that never signed in', () => {
  test('is held, like all further ones, until the release turns everything into cash', () => {
    scenario(
      `
      deposit carol 100 log a:0              held
      account carol                          cash 0 held 100 heldDeposits 1 frozen yes buyingPower 0 equity 0
      deposit carol 20 log a:1               held
      account carol                          cash 0 held 120 heldDeposits 2
      custody                                funded 120 deposits 2
      release carol                          released 120
      account carol                          cash 120 held 0 heldDeposits 0 frozen no buyingPower 120
      custody                                funded 120
      deposit carol 5 log b:0                credited
      account carol                          cash 125 held 0
    `,
      DEPOSITS,
    );
  });

  test('FINE-12 its owner may sign in, approve and revoke keys, and stays frozen', () => {
    const venue = scenario('deposit carol 100 log a:0    held', DEPOSITS);
    const signIn = venue.apply({ kind: 'open', address: addressOf('carol') });
    assert.ok('opened' in signIn && !signIn.opened);
    scenario(
      `
      approve carol phone for 1d
      approve carol laptop for 1d
      revoke carol laptop
      account carol                          frozen yes held 100 cash 0
      deposit carol 1 log a:1                held
    `,
      venue,
    );
  });

  test('FINE-12 a frozen owner may approve keys, but neither trade nor withdraw before the release', () => {
    scenario(
      `
      quote AAPL-C-190 bid 3x5 ask 4x5
      deposit carol 100 log a:0              held
      approve carol phone for 1d
      buy carol AAPL-C-190 1 @ 4 signed phone nonce +1s       rejected account frozen — no linked wallet address
      sell carol AAPL-C-190 1 @ market signed phone nonce +2s rejected account frozen — no linked wallet address
      withdraw carol 1 signed phone nonce +3s                 refused account frozen — no linked wallet address
      withdraw carol 100.000001 signed phone nonce +4s        refused account frozen — no linked wallet address
      withdraw carol 1 signed phone nonce +4s                 refused nonce already used
      release carol                                           released 100
      buy carol AAPL-C-190 1 @ 4 signed phone nonce +5s       filled 1@4
      withdraw carol 1 signed phone nonce +6s                 payout 1
      account carol                                           cash 94.98
    `,
      DEPOSITS,
    );
  });

  test('others trade and receive deposits meanwhile', () => {
    scenario(
      `
      open alice
      deposit carol 100 log a:0              held
      deposit alice 100 log a:1              credited
      buy alice AAPL-C-190 1 @ 4             rested
      account alice                          buyingPower 96
    `,
      DEPOSITS,
    );
  });
});

describe('DEP-2 a release', () => {
  test('of an account that is not frozen, of one already released, or of an unknown address changes nothing', () => {
    const venue = scenario(
      `
      open alice
      deposit alice 100 log a:0
      deposit carol 100 log a:1              held
      release carol                          released 100
    `,
      DEPOSITS,
    );
    changesNothing(
      `
      release carol                          refused nothing held for this address
      release alice                          refused nothing held for this address
      release nobody                         refused nothing held for this address
    `,
      venue,
    );
    assert.equal(venue.state.accountByAddress.has(addressOf('nobody')), false);
  });
});

describe('MODE-1 the funding mode', () => {
  test('paper mode refuses deposit, release, withdrawal and commit, and changes nothing', () => {
    const venue = scenario('open alice\naccount alice    cash 100000');
    changesNothing(
      `
      deposit alice 100 log a:0              refused not found
      deposit stranger 100 log a:1           refused not found
      release alice                          refused not found
      withdraw alice 1                       refused not found
      withdraw alice 0                       refused not found
      commit 1 in t                          refused not found
      commit none in t                       refused not found
    `,
      venue,
    );
    assert.equal(venue.state.accountByAddress.has(addressOf('stranger')), false);
  });

  test('in deposits mode accounts open with nothing, by sign-in and by approval', () => {
    scenario(
      `
      open alice
      approve bob phone for 1d
      account alice                          cash 0 buyingPower 0 frozen no
      account bob                            cash 0 buyingPower 0 frozen no
      custody                                funded 0
      buy alice AAPL-C-190 1 @ 4             rejected account equity depleted
    `,
      DEPOSITS,
    );
  });

  test("MAR-1 in deposits mode a short is margined at intrinsic if the book's mark is lower", () => {
    // Spot 200, strike 190: 10 + max(20 % of 200, 10 % of 190); the mark alone would be the ask of 3.
    scenario(
      `
      open bob
      deposit bob 100 log a:0
      margin bob on
      sell bob AAPL-C-190 2 @ 3              rested
      account bob                            locked 100 buyingPower 0
      sell bob AAPL-C-190 0.000001 @ 3       rejected insufficient margin for short (need ~0.00, have 0.00)
    `,
      DEPOSITS,
    );
  });

  test('FINE-4 neither mode nor premium changes once money is in', () => {
    const venue = scenario('open alice\ndeposit alice 100 log a:0', DEPOSITS);
    const parameters = venue.state.parameters!;
    for (const change of [{ fundingMode: 'paper' }, { marginPremium: 'mark' }] as const) {
      const outcome = venue.apply({ kind: 'configure', parameters: { ...parameters, ...change } });
      assert.deepEqual(outcome, { changed: false, conflict: Object.keys(change)[0] });
    }
    scenario('withdraw alice 1    payout 1', venue);
  });
});
