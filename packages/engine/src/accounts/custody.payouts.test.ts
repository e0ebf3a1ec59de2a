import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import type { Venue } from '../../test/venue.ts';
import { WITHDRAWALS_OUTSTANDING_MAX } from '../state/limits.ts';
import type { VenueParameters } from '../state/parameters.ts';

const DEPOSITS: Partial<VenueParameters> = { fundingMode: 'deposits', marginPremium: 'intrinsic' };

/** Alice and Bob have signed in and deposited the amount each. */
function funded(amount: string): Venue {
  return scenario(
    `
    open alice
    open bob
    deposit alice ${amount} log a:0
    deposit bob ${amount} log b:0
  `,
    DEPOSITS,
  );
}

describe('PAY-2 a withdrawal', () => {
  test('takes the cash immediately, and the gate subtracts pending payouts from buying power again', () => {
    // Cash 100 - 40 = 60; minus the pending 40 leaves 20, to the micro.
    scenario(
      `
      withdraw alice 40                      payout 1
      account alice                          cash 60 buyingPower 60 equity 60
      custody                                pending 40 committed 0 funded 160
      withdraw alice 20.000001               refused need 20.000001 have 20
      account alice                          cash 60
      withdraw alice 20                      payout 2
      account alice                          cash 40
      custody                                pending 60 funded 140
      withdraw alice 0.000001                refused need 0.000001 have -20
      payout 1                               owner alice amount 40 state requested
      payout 2                               owner alice amount 20 state requested
    `,
      funded('100'),
    );
  });

  test('may take everything, and not a micro more', () => {
    scenario(
      `
      withdraw alice 100.000001              refused need 100.000001 have 100
      withdraw alice 100                     payout 1
      account alice                          cash 0 buyingPower 0
      withdraw alice 0.000001                refused need 0.000001 have -100
      commit 1 in t                          committed 1
      withdraw alice 0.000001                refused need 0.000001 have 0
    `,
      funded('100'),
    );
  });

  test('once committed is no longer pending, and leaves the gate open for the rest', () => {
    scenario(
      `
      withdraw alice 40                      payout 1
      withdraw alice 60                      refused need 60 have 20
      commit 1 in t                          committed 1
      withdraw alice 60.000001               refused need 60.000001 have 60
      withdraw alice 60                      payout 2
      account alice                          cash 0
      custody                                pending 60 committed 40 funded 100
    `,
      funded('100'),
    );
  });

  test('of one account is neither visible to another nor counted there', () => {
    scenario(
      `
      withdraw alice 60                      payout 1
      withdraw bob 100                       payout 2
      payout 2                               owner bob amount 100
      account alice                          cash 40
    `,
      funded('100'),
    );
  });

  test('cannot take the cost of a resting buy until that is cancelled', () => {
    scenario(
      `
      buy alice AAPL-C-190 2 @ 3.000001      rested
      withdraw alice 93.999999               refused need 93.999999 have 93.999998
      withdraw alice 93.999998               payout 1
      commit 1 in t                          committed 1
      withdraw alice 0.000001                refused need 0.000001 have 0
      cancel alice all                       pulled 1
      withdraw alice 6.000002                payout 2
      account alice                          cash 0
    `,
      funded('100'),
    );
  });

  test('MAR-1 cannot take the entry margin of a short, intrinsic included, or its premium', () => {
    // 10 in the money + 20 % of 200 = 50; bob received 3.
    scenario(
      `
      margin bob on
      sell bob AAPL-C-190 1 @ 3              rested
      withdraw bob 50.000001                 refused need 50.000001 have 50
      buy alice AAPL-C-190 1 @ 3             filled 1@3
      account bob                            cash 103 locked 50
      withdraw bob 53.000001                 refused need 53.000001 have 53
      withdraw bob 53                        payout 1
      account bob                            cash 50 buyingPower 0
      spot AAPL 210
      commit 1 in t                          committed 1
      account bob                            buyingPower -12
      withdraw bob 0.000001                  refused need 0.000001 have -12
    `,
      funded('100'),
    );
  });

  test('cannot take the value of a long: equity does not count', () => {
    scenario(
      `
      quote AAPL-C-190 bid 9x9 ask 10x9
      buy alice AAPL-C-190 9 @ 10            filled 9@10
      account alice                          cash 9.55 equity 90.55 buyingPower 9.55
      withdraw alice 9.550001                refused need 9.550001 have 9.55
      withdraw alice 9.55                    payout 1
    `,
      funded('100'),
    );
  });

  test('comes before or after a fill, never with it', () => {
    const first = 'withdraw alice 100                     payout 1';
    const order = 'buy alice AAPL-C-190 1 @ 10            filled 1@10';
    const book = 'quote AAPL-C-190 ask 10x9';
    scenario(
      `${book}\n${order}\nwithdraw alice 100    refused need 100 have 89.95\naccount alice cash 89.95`,
      funded('100'),
    );
    scenario(
      `${book}\n${first}\nbuy alice AAPL-C-190 1 @ 10    rejected account equity depleted\naccount alice cash 0`,
      funded('100'),
    );
  });

  test('can take profits: it is not limited to deposits', () => {
    const venue = scenario(
      `
      quote AAPL-C-190 ask 1x9
      buy alice AAPL-C-190 9 @ 1             filled 9@1
      quote AAPL-C-190 bid 20x9 ask -
      sell alice AAPL-C-190 9 @ 20           filled 9@20
      account alice                          cash 270.055
      withdraw alice 270.055                 payout 1
      account maker                          cash -171
      custody                                funded -70.055
    `,
      funded('100'),
    );
    assert.equal(venue.account('alice').cashMicros, 0);
  });
});

describe('PAY-2 a refused withdrawal', () => {
  test('checks amount, freeze, balance, number outstanding, in this order, and never debits', () => {
    const venue = funded('1000');
    for (let id = 1; id <= WITHDRAWALS_OUTSTANDING_MAX; id += 1)
      scenario(`withdraw alice 1    payout ${id}`, venue);
    scenario(
      `
      account alice                          cash 984
      withdraw alice 0                       refused amount must be positive
      withdraw alice -0.000001               refused amount must be positive
      withdraw alice -9007199254.740991      refused amount must be positive
      withdraw alice 968.000001              refused need 968.000001 have 968
      withdraw alice 9007199254.740991       refused need 9007199254.740991 have 968
      withdraw alice 968                     refused too many outstanding withdrawals
      account alice                          cash 984
      deposit carol 5 log c:0                held
      withdraw carol 0                       refused amount must be positive
      withdraw carol 6                       refused account frozen — no linked wallet address
      withdraw bob 1                         payout 17
      custody                                pending 17 funded 1988 payouts 17
    `,
      venue,
    );
  });

  test('sixteen may be outstanding; each commit makes room for one more', () => {
    const venue = funded('1000');
    for (let id = 1; id <= 16; id += 1) scenario(`withdraw alice 1    payout ${id}`, venue);
    scenario(
      `
      withdraw alice 1                       refused too many outstanding withdrawals
      commit 3 in t                          committed 3
      withdraw alice 1                       payout 17
      withdraw alice 1                       refused too many outstanding withdrawals
      commit 1,2 in u                        committed 1,2
      withdraw alice 1                       payout 18
      withdraw alice 1                       payout 19
      withdraw alice 1                       refused too many outstanding withdrawals
    `,
      venue,
    );
  });

  test('SIG-4 has burnt its nonce, whatever the reason; a refused signature withdraws nothing', () => {
    scenario(
      `
      approve alice phone for 1d
      withdraw alice 0 signed phone nonce +1s            refused amount must be positive
      withdraw alice 1 signed phone nonce +1s            refused nonce already used
      withdraw alice 101 signed phone nonce +2s          refused need 101 have 100
      buy alice AAPL-C-190 1 @ 1 signed phone nonce +2s  refused nonce already used
      withdraw alice 1 signed phone nonce +3s            payout 1
      withdraw alice 1 signed phone nonce +3s            refused nonce already used
      withdraw alice 1 signed phone nonce +61s           refused nonce outside the accepted window
      withdraw alice 1 signed laptop nonce +4s           refused unknown or revoked session key
      withdraw bob 1 signed phone nonce +4s              refused unknown or revoked session key
      withdraw nobody 1 signed phone nonce +4s           refused unknown or revoked session key
      revoke alice phone
      withdraw alice 1 signed phone nonce +4s            refused unknown or revoked session key
      account alice                                      cash 99
      account bob                                        cash 100
    `,
      funded('100'),
    );
  });
});

describe('PAY-3 a commit', () => {
  const asked = () =>
    scenario(
      `
      withdraw alice 10                      payout 1
      withdraw alice 20                      payout 2
      withdraw bob 30                        payout 3
    `,
      funded('100'),
    );

  test('commits payouts of any account, records their transaction, and moves no cash', () => {
    scenario(
      `
      commit 3,1 in t                        committed 3,1
      payout 1 in t                          state committed there yes amount 10 owner alice
      payout 2                               state requested
      payout 3 in t                          state committed there yes amount 30 owner bob
      custody                                pending 20 committed 40 funded 140
      account alice                          cash 70
      account bob                            cash 70
    `,
      asked(),
    );
  });

  test('repeated, alone or with others, counts nothing twice', () => {
    scenario(
      `
      commit 1 in t                          committed 1
      commit 1 in t                          committed 1
      custody                                pending 50 committed 10
      commit 1,2 in t                        committed 1,2
      custody                                pending 30 committed 30
      commit 3,3,3 in u                      committed 3,3,3
      custody                                pending 0 committed 60
      commit none in v                       committed none
    `,
      asked(),
    );
  });

  test('in a different transaction is refused, and a payout never reverts', () => {
    scenario(
      `
      commit 1 in t                          committed 1
      commit 1 in u                          refused payout committed in another transaction
      payout 1 in t                          there yes
      commit 2,1 in u                        refused payout committed in another transaction
      payout 2                               state requested
      custody                                pending 50 committed 10
    `,
      asked(),
    );
  });

  test('is all or none: an unknown id refuses the rest', () => {
    scenario(
      `
      commit 1,4 in t                        refused unknown withdrawal
      commit 0 in t                          refused unknown withdrawal
      commit -1,1 in t                       refused unknown withdrawal
      commit 1.5 in t                        refused unknown withdrawal
      payout 1                               state requested
      custody                                pending 60 committed 0
    `,
      asked(),
    );
  });

  test('is refused with the reason of the first faulty id', () => {
    scenario(
      `
      commit 1 in t                          committed 1
      commit 1,9 in u                        refused payout committed in another transaction
      commit 9,1 in u                        refused unknown withdrawal
    `,
      asked(),
    );
  });
});
