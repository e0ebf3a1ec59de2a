import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AUDIT_GENESIS, type AuditRecord, auditHash, type SettlementAttempt } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { micros, PARAMETERS, type Venue } from '../../test/venue.ts';

type Settlement = AuditRecord<SettlementAttempt>;

/** AAPL is refused with an anchor of 200: the last prints are 200, 199 and 201. */
const REFUSED = `
      quote AAPL-C-190 ask 10.10x5
      buy alice AAPL-C-190 2 @ market            filled 2@10.10
      wait to cutoff -2h
      print a AAPL 199
      print b AAPL 201
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                        anchor 200 price none
`;

describe("a hand settlement pays in the same way as the oracle's (FINE-1)", () => {
  test('one series at a price, then its siblings at that price only', () => {
    scenario(`${REFUSED}
      account alice                              cash 99979.699
      settle AAPL-C-190 201                      settled 1
      status AAPL-C-190                          settled
      account alice                              cash 100001.699 realized 1.80
      decision AAPL day 1                        price 201 by hand
      status AAPL-C-195                          pending-review
      settle AAPL-C-195 200                      refused price differs from the one decided for this expiry
      settle AAPL-C-195 201                      settled 1
      settle AAPL-C-190 201                      refused series settled
      settle AAPL day 1 201                      settled 80
      settle AAPL day 1 201                      refused series settled
    `);
  });

  test('every refused series of the expiry in one attempt', () => {
    scenario(`${REFUSED}
      settle AAPL day 1 199.50                   settled 82
      account alice                              cash 99998.699
      mark AAPL-C-190                            9.50
    `);
  });
});

describe('each gate', () => {
  test('CRED-1 both secrets come first', () => {
    scenario(`${REFUSED}
      settle AAPL day 1 201 without first        refused wrong credential
      settle AAPL day 1 201 without second       refused wrong credential
      settle NONE day 1 0 without second         refused wrong credential
    `);
  });

  test('only series that the oracle refused', () => {
    scenario(`${REFUSED}
      settle AAPL-C-190/2 200                    refused not pending review
      settle AAPL day 2 200                      refused not pending review
      settle AAPL day 9 200                      refused no such series or expiry
      settle AAPL-C-191 200                      refused no such series or expiry
      settle NONE day 1 200                      refused no such series or expiry
    `);
  });

  test('the bound, to the micro, on both sides of the anchor', () => {
    scenario(`${REFUSED}
      settle AAPL-C-190 202.000001               refused price outside the bound of the last oracle print
      settle AAPL-C-190 197.999999               refused price outside the bound of the last oracle print
      settle AAPL-C-190 202                      settled 1
    `);
    scenario(`${REFUSED}
      settle AAPL-C-190 198                      settled 1
    `);
  });

  test('a price of zero is invalid', () => {
    scenario(`${REFUSED}
      settle AAPL-C-190 0                        refused bad price
    `);
  });

  test('no configuration widens the bound beyond ten percent', () => {
    const oracle = { minSources: 2, staleMs: 60_000, dispersionBps: 100, handBps: 5_000 };
    scenario(
      `${REFUSED}
      settle AAPL-C-190 220.000001               refused price outside the bound of the last oracle print
      settle AAPL-C-190 220                      settled 1
    `,
      { oracle },
    );
  });

  test('a later configuration cannot widen the bound, but can narrow it', () => {
    const venue = scenario(REFUSED);
    const configure = (handBps: number) => {
      const { oracle, ...rest } = PARAMETERS;
      venue.apply({ kind: 'configure', parameters: { ...rest, oracle: { ...oracle, handBps } } });
    };
    configure(1_000);
    scenario(
      'settle AAPL-C-190 202.000001     refused price outside the bound of the last oracle print',
      venue,
    );
    configure(50);
    scenario(
      'settle AAPL-C-190 201.000001     refused price outside the bound of the last oracle print',
      venue,
    );
    scenario('settle AAPL-C-190 201            settled 1', venue);
  });

  test('the anchor does not move with later prints', () => {
    scenario(`${REFUSED}
      print a AAPL 300
      print b AAPL 300
      print feed AAPL 300
      settle AAPL-C-190 300                      refused price outside the bound of the last oracle print
    `);
  });
});

describe('the audit of attempts', () => {
  const attempts = (): Venue =>
    scenario(`${REFUSED}
      settle AAPL-C-190 201 without second       refused wrong credential
      settle AAPL-C-190 203                      refused price outside the bound of the last oracle print
      settle NONE day 1 200                      refused no such series or expiry
      settle AAPL-C-190 201                      settled 1
    `);

  test('records price, anchor, deviation, bound and the result of every gate', () => {
    const { entries } = attempts().state.audit;
    assert.deepEqual(
      entries.map(({ n, reason }) => [n, reason]),
      [
        [1, 'wrong credential'],
        [2, 'price outside the bound of the last oracle print'],
        [3, 'no such series or expiry'],
        [4, null],
      ],
    );
    const [first, second, third] = entries as [Settlement, Settlement, Settlement];
    assert.deepEqual(gatesOf(first), 'yes no yes yes yes yes yes -');
    assert.deepEqual(gatesOf(second), 'yes yes yes yes yes no yes yes');
    assert.deepEqual(gatesOf(third), 'yes yes no yes - - - -');
    const { seriesId, symbol, priceMicros, anchorMicros, deviationMicroBps, boundBps } = second;
    assert.ok(seriesId?.startsWith('AAPL-') && symbol === 'AAPL');
    assert.deepEqual([priceMicros, anchorMicros, boundBps], [micros('203'), micros('200'), 100]);
    assert.equal(deviationMicroBps, micros('150'));
    assert.deepEqual([third.symbol, third.anchorMicros, third.deviationMicroBps], ['NONE', null, null]);
  });

  test('is chained: every entry hashes its own facts and the previous hash', () => {
    const { entries, head, count } = attempts().state.audit;
    let previous = AUDIT_GENESIS;
    for (const entry of entries) {
      assert.equal(entry.previousHash, previous);
      assert.equal(entry.hash, auditHash(entry));
      previous = entry.hash;
    }
    assert.deepEqual([head, count], [previous, 4]);
  });

  function gatesOf({ gates }: Settlement): string {
    return gates.map(({ passed }) => (passed === null ? '-' : passed ? 'yes' : 'no')).join(' ');
  }
});
