import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AUDIT_GENESIS, auditHash, type OperatorAction } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { addressOf, micros, Venue } from '../../test/venue.ts';
import { brokenInvariants } from '../invariants.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import { EPOCH_MAX, EPOCH_SPAN } from '../state/limits.ts';
import type { VenueParameters } from '../state/parameters.ts';

const DEPOSITS: Partial<VenueParameters> = { fundingMode: 'deposits', marginPremium: 'intrinsic' };

/** Runs the lines, then checks every invariant, and that a snapshot restores the very same state. */
function told(lines: string, venue: Venue | Partial<VenueParameters> = DEPOSITS): Venue {
  const done = scenario(lines, venue);
  assert.deepEqual([...brokenInvariants(done.state)], []);
  assert.equal(stateDigest(restoreState(stateLines(done.state))), stateDigest(done.state));
  return done;
}

describe('CUS-1 a ledger bound to a vault', () => {
  test('takes deposits of that vault only', () => {
    told(`
      open alice
      deposit alice 10 log a:0
      bind vault on 1
      deposit alice 10 log b:0                       refused deposit of another vault
      deposit alice 10 log b:0 from other            refused deposit of another vault
      deposit alice 10 log b:0 from vault            credited
      deposit alice 10 log a:0 from vault            duplicate
      account alice                                  cash 20
    `);
  });

  test('is bound with both secrets, and every attempt is audited', () => {
    const { audit } = told(`
      bind vault on 1 with none                      refused wrong credential
      bind vault on 1 with first                     asked
      bind vault on 1
    `).state;
    const actions = audit.entries.map((one) => ('action' in one ? [one.action, one.reason] : null));
    assert.deepEqual(actions, [
      ['bind', 'wrong credential'],
      ['bind', null],
      ['bind', null],
    ]);
    assert.equal(audit.entries[0]?.previousHash, AUDIT_GENESIS);
    for (const entry of audit.entries) assert.equal(auditHash(entry), entry.hash);
  });

  test('OPS-2 what a role refuses is audited by name, on paper too, and nothing else comes of it', () => {
    for (const parameters of [DEPOSITS, {}]) {
      const venue = new Venue(parameters);
      const route = 'POST /v1/operator/epoch';
      assert.deepEqual(venue.apply({ kind: 'overstep', by: 'cy', route }), { refusal: 'wrongRole' });
      const [entry] = venue.state.audit.entries;
      const { by, action, terms, reason } = entry as OperatorAction;
      assert.deepEqual(
        [by, action, JSON.parse(terms), reason],
        ['cy', 'overstep', { route }, 'this operator has not the role that it takes'],
      );
      told('', venue);
    }
  });

  test('OPS-2 what operators do is audited by name, a release too, and two names bind as two secrets do', () => {
    const venue = new Venue(DEPOSITS);
    const address = addressOf('alice');
    const past = { paidBeforeMicros: micros('0'), depositedBeforeMicros: micros('0'), funder: null };
    const ask = (by: string, secrets: readonly [boolean, boolean] = [true, false]) =>
      venue.apply({ kind: 'bind', chainId: 1, vault: addressOf('vault'), ...past, secrets, by });
    venue.apply({ kind: 'release', address });
    venue.apply({ kind: 'release', address, by: 'cy' });
    venue.apply({ kind: 'freeze-withdrawals', address, frozen: true, reason: 'asked', by: 'cy' });
    assert.deepEqual(ask('dan', [false, false]), { refusal: 'wrongRole' });
    for (const by of ['ann', 'ann']) assert.equal('isBound' in ask(by) && venue.state.custody.binding, null);
    assert.equal(restoreState(stateLines(venue.state)).custody.bindRequests[0]?.by, 'ann');
    assert.equal('isBound' in ask('bo') && venue.state.custody.binding?.chainId, 1);
    const { entries } = venue.state.audit;
    const actions = entries.map((one) => ('action' in one ? `${one.by}: ${one.action}` : ''));
    assert.deepEqual(actions, [
      'cy: release',
      'cy: freeze-withdrawals',
      ...['dan: bind', 'ann: bind', 'ann: bind', 'bo: bind'],
    ]);
    for (const entry of entries) {
      assert.equal(auditHash(entry), entry.hash);
      assert.ok('terms' in entry && !('by' in JSON.parse(entry.terms)));
    }
  });

  test('is bound by two people who ask for the same within a quarter of an hour', () => {
    told(`
      open alice
      bind vault on 1 with first                     asked
      bind vault on 1 with first                     asked
      bind other on 1 with second                    asked
      deposit alice 1 log a:0
      bind vault on 1 with second                    bound
      deposit alice 1 log b:0                        refused deposit of another vault
      bind vault on 1 funder carol with second       asked
      wait 15m
      bind vault on 1 funder carol with first        asked
      wait 14m
      bind vault on 1 funder carol with second       bound
    `);
  });

  test('after another vault has to know all that the first one took and paid', () => {
    told(`
      open alice
      bind vault on 1
      deposit alice 100 log a:0 from vault
      withdraw alice 40                              payout 1
      commit 1 in tx                                 committed 1
      withdraw alice 10                              payout 2
      bind second on 1                               refused paid and deposited before must be nothing, or all that the ledger has recorded
      bind second on 1 after 50 of 100               refused paid and deposited before must be nothing, or all that the ledger has recorded
      bind second on 1 after 40 of 100
      bind second on 1 after 40 of 100
      bind second on 1                               refused paid and deposited before must be nothing, or all that the ledger has recorded
      deposit alice 5 log b:0 from vault             refused deposit of another vault
      deposit alice 5 log b:0 from second            credited
    `);
  });
});

test('CUS-1 a vault that was bound before is bound again with the past that it had then, and no other', () => {
  const { binding } = told(`
    open alice
    deposit alice 100 log a:0
    withdraw alice 30                              payout 1
    commit 1 in tx                                 committed 1
    bind vault on 1 after 30 of 100
    deposit alice 50 log b:0 from vault            credited
    withdraw alice 20                              payout 2
    commit 2 in other                              committed 2
    bind thief on 1 after 50 of 150
    bind vault on 1                                refused paid and deposited before must be nothing, or all that the ledger has recorded
    bind vault on 2 after 30 of 100                refused paid and deposited before must be nothing, or all that the ledger has recorded
    bind second on 1 after 30 of 100               refused paid and deposited before must be nothing, or all that the ledger has recorded
    bind vault on 1 after 30 of 100
    deposit alice 1 log c:0 from vault             credited
  `).state.custody;
  assert.equal(binding?.vault, addressOf('vault'));
});

test('CUS-1 a vault that was named wrongly is replaced, as long as nothing was credited from it', () => {
  told(`
    open alice
    deposit alice 100 log a:0
    bind wrong on 1
    bind vault on 1
    deposit alice 1 log b:0 from vault             credited
    bind other on 1                                refused paid and deposited before must be nothing, or all that the ledger has recorded
    withdraw alice 10                              payout 1
    bind other on 1 after 0 of 101
    commit 1 in tx                                 committed 1
    bind more on 1 after 0 of 101                  refused paid and deposited before must be nothing, or all that the ledger has recorded
  `);
});

describe('CUS-3 the epoch', () => {
  test('is part of the numbers of all payouts to come, and of none before', () => {
    const at = (epoch: number, id: number) => String(epoch * EPOCH_SPAN + id);
    told(`
      open alice
      deposit alice 100 log a:0
      withdraw alice 1                               payout 1
      epoch 2                                        refused not the next epoch
      epoch 1
      epoch 1                                        refused not the next epoch
      withdraw alice 1                               payout 2
      payout 1                                       number 1 state requested
      payout 2                                       number ${at(1, 2)} state requested
      epoch 2
      withdraw alice 1                               payout 3
      payout 3                                       number ${at(2, 3)}
    `);
    assert.ok(Number.isSafeInteger((EPOCH_MAX + 1) * EPOCH_SPAN - 1));
  });
});

describe('CUS-4 an operator', () => {
  test('adopts a payout that the ledger lost, once, into debt if need be', () => {
    told(`
      open alice
      deposit alice 100 log a:0
      withdraw alice 10                              payout 1
      adopt 2 alice 40 in tx                         refused payout of the present epoch — raise the epoch first
      epoch 1
      adopt 2 alice 40 in tx                         payout 2
      adopt 2 alice 40 in tx                         payout 2
      adopt 2 alice 41 in tx                         refused payout is known with other terms
      adopt 1 bob 5 in tx                            refused payout is known with other terms
      payout 2 in tx                                 owner alice amount 40 state committed there yes number 2
      account alice                                  cash 50
      adopt 3 bob 20 in tx                           payout 3
      account bob                                    cash -20
      adopt 4 bob 31 in tx                           refused deposits are missing for this payout — let the watcher credit them first
      deposit carol 1 log b:0                        held
      adopt 5 carol 1 in tx                          refused account frozen — no linked wallet address
    `);
  });

  test('CUS-8: adopts a payout of the funder out of the house, not out of its account', () => {
    told(`
      bind vault on 1 funder carol
      deposit carol 100 log a:0 from vault           credited
      epoch 1
      adopt 5 carol 40 in tx                         payout 1
      account carol                                  cash 0
      withdraw carol 61                              refused need 61 have 60
    `);
  });

  test('voids a payout, whose number is then free for what the chain has', () => {
    told(`
      open alice
      deposit alice 100 log a:0
      withdraw alice 30                              payout 1
      withdraw alice 20                              payout 2
      commit 2 in tx                                 committed 2
      void 2                                         refused payout is no longer requested
      void 3                                         refused unknown withdrawal
      void 1
      void 1                                         refused payout is no longer requested
      commit 1 in other                              refused payout was voided
      account alice                                  cash 80
      payout 1                                       state voided
      custody                                        pending 0 committed 20 funded 80
      epoch 1
      adopt 1 bob 30 in theft                        payout 3
    `);
  });

  test('freezes the withdrawals of an account and nothing else', () => {
    told(`
      open alice
      deposit alice 100 log a:0
      freeze nobody                                  refused unknown account
      freeze alice
      withdraw alice 1                               refused withdrawals are frozen by the operator
      deposit alice 1 log b:0
      unfreeze alice
      withdraw alice 1                               payout 1
    `);
  });

  test('holds a doubtful deposit, gives it back, or takes it back for what the chain has instead', () => {
    told(`
      open alice
      deposit alice 100 log a:0
      hold b:0                                       refused unknown deposit
      reverse a:0                                    refused deposit is not held in doubt
      withdraw alice 1                               payout 1
      hold a:0                                       refused need 100 have 99
      deposit alice 50 log b:0
      hold a:0                                       held 100
      hold a:0                                       refused deposit is held already
      account alice                                  cash 49 held 100 frozen no
      release alice                                  released 100
      account alice                                  cash 149 held 0
      hold a:0                                       held 100
      deposit alice 100 log a:5 block 9 hash fork    refused deposit conflict
      reverse a:0                                    reversed 100
      deposit alice 100 log a:5 block 9 hash fork    credited
      account alice                                  cash 149 held 0
      deposit stranger 7 log c:0                     held
      hold c:0                                       held 7
      reverse c:0                                    reversed 7
      account stranger                               cash 0 held 0 frozen yes
    `);
  });
});

test('CUS-1, CUS-4 a deposit of an earlier vault that is reversed leaves the sum of the present one as it is', () => {
  const { custody } = told(`
    open alice
    bind vault on 1
    deposit alice 100 log a:0 from vault
    deposit alice 10 log b:0 from vault
    bind second on 1 after 0 of 110
    deposit alice 20 log c:0 from second
    hold b:0                                       held 10
    reverse b:0                                    reversed 10
    hold c:0                                       held 20
    reverse c:0                                    reversed 20
  `).state;
  assert.equal(custody.binding?.depositedBeforeMicros, micros('100'));
  assert.equal(custody.depositedMicros, BigInt(micros('100')));
});

test('CUS-6 less than the smallest payout is refused, unless it is all that the account has', () => {
  told(
    `
    open alice
    deposit alice 10 log a:0
    withdraw alice 0.99                            refused below 1
    withdraw alice 9.50                            payout 1
    withdraw alice 0.49                            refused need 0.49 have -9
    commit 1 in tx                                 committed 1
    withdraw alice 0.49                            refused below 1
    withdraw alice 0.50                            payout 2
  `,
    { ...DEPOSITS, payoutMinMicros: micros('1') },
  );
});

describe('CUS-8 the house line of a bound ledger', () => {
  const FUNDED: Partial<VenueParameters> = { ...DEPOSITS, houseLineFunded: true };

  test('is what the funder paid in, and the funder may take what backs nothing', () => {
    const venue = told(
      `
      open carol
      deposit carol 1 log z:0
      bind vault on 1 funder carol                   refused funder has an account in use
      withdraw carol 1                               payout 1
      commit 1 in tx                                 committed 1
      bind vault on 1 funder carol
      deposit carol 1000 log a:0 from vault          credited
      account carol                                  cash 0
      account maker                                  cash 1000
      hold a:0                                       refused deposit is capital of the house
      withdraw carol 1000.000001                     refused need 1000.000001 have 1000
      withdraw carol 400                             payout 2
      account maker                                  cash 600
      void 2
      account maker                                  cash 1000
    `,
      FUNDED,
    );
    assert.equal(venue.state.custody.houseFundedMicros, micros('1000'));
  });

  test('is the configured one until the ledger is bound', () => {
    const venue = told('open alice', FUNDED);
    assert.equal(venue.state.custody.binding, null);
    told('quote AAPL-C-190 bid 3x5 ask 4x5', Venue.listed(FUNDED));
  });
});

test('CUS-16 an approval is carried with a payout, one for each approver and eight in all', () => {
  const others = Array.from({ length: 7 }, (_, i) => `endorse 1 by approver${i}`).join('\n');
  const { custody } = told(`
    open alice
    deposit alice 100 log a:0
    withdraw alice 10                              payout 1
    endorse 1 by erin
    endorse 1 by erin
    endorse 2 by erin                                refused unknown withdrawal
    ${others}
    endorse 1 by frank                               refused too many approvals of this payout
    endorse 1 by erin
  `).state;
  const [payout] = custody.payouts;
  assert.equal(payout?.approvals.length, 8);
  assert.equal(payout?.approvals.at(-1)?.approver, addressOf('erin'));
});
