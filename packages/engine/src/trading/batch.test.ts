import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchAction } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { addressOf, micros, seriesIdOf, type Venue } from '../../test/venue.ts';
import { brokenInvariants } from '../invariants.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import { nextDeadlineMs } from './due.ts';

const BOOK = `
  quote AAPL-C-190 bid 3.30x5 ask 3.40x5 3.50x5
`;

/** Runs a table on the usual book; the state must pass its invariants and come back from its own lines. */
function on(table: string): Venue {
  const venue = scenario(`${BOOK}${table}`);
  assert.deepEqual([...brokenInvariants(venue.state)], []);
  const lines = [...stateLines(venue.state)];
  assert.equal(stateDigest(restoreState(lines)), stateDigest(venue.state), 'a snapshot differs');
  return venue;
}

describe('TIF-1 how long an order may rest', () => {
  test('gtc rests what does not trade', () => {
    on(`batch alice buy AAPL-C-190 7 @ 3.40 id a      partial 5@3.40 rest 2
        closes alice                                  none`);
  });

  test('ioc gives up what does not trade', () => {
    on(`batch alice buy AAPL-C-190 7 @ 3.40 ioc id a  partial 5@3.40
        batch alice buy AAPL-C-190 7 @ 3.40 ioc id b  cancelled
        closes alice                                  a ioc, b ioc`);
  });

  test('fok trades all of it or nothing', () => {
    on(`batch alice buy AAPL-C-190 11 @ 3.50 fok      rejected fok cannot fill
        batch alice buy AAPL-C-190 10 @ 3.50 fok id a filled 5@3.40 5@3.50
        batch alice buy AAPL-C-190 1 @ market fok     rejected no liquidity
        closes alice                                  a filled`);
  });

  test('a market order may be fok', () => {
    on(`batch alice buy AAPL-C-190 11 @ market fok    rejected fok cannot fill
        batch alice buy AAPL-C-190 11 @ market        partial 5@3.40 5@3.50`);
  });

  test('gtd leaves with the first entry at its time, and is refused when that has passed', () => {
    on(`batch alice buy AAPL-C-190 1 @ 3.20 gtd 10s id a  rested rest 1
        wait 9999ms
        spot BTC 100000
        account alice                                 orders 1
        wait 1ms
        spot BTC 100000
        account alice                                 orders 0 locked 0
        closes alice                                  a gtd
        batch alice buy AAPL-C-190 1 @ 3.20 gtd 0s    rejected order expired
        batch alice buy AAPL-C-190 1 @ 3.20 gtd 1ms   rested rest 1`);
  });

  test('BAT-4 a quantity past the exact range is said before a date that has passed', () => {
    on(`batch alice buy AAPL-C-190 5000000000 @ 0.000001              rested rest 5000000000
        batch alice buy AAPL-C-190 5000000000 @ 0.000001 gtd 0s       rejected bad qty`);
  });

  test('an account has at most 1,024 timed orders', () => {
    const many = Array.from({ length: 16 }, () =>
      Array.from({ length: 64 }, () => 'buy AAPL-C-190 0.01 @ 3.20 gtd 1h').join(' ; '),
    );
    const rested = Array.from({ length: 64 }, () => 'rested rest 0.01').join(' ; ');
    on(`${many.map((actions) => `batch alice ${actions}  ${rested}`).join('\n')}
        batch alice buy AAPL-C-190 1 @ 3.20 gtd 1h    rejected too many timed orders
        batch bob buy AAPL-C-190 1 @ 3.20 gtd 1h      rested rest 1
        batch alice amend #4 price 3.10               rested rest 0.01
        batch alice cancel #4 ; buy AAPL-C-190 1 @ 3.20 gtd 1h   ok ; rested rest 1`);
  });
});

describe('TIF-2 post-only', () => {
  test('is rejected at the best opposite price, even against its own order', () => {
    on(`batch alice buy AAPL-C-190 1 @ 3.40 post-only  rejected post-only would trade
        batch alice buy AAPL-C-190 1 @ 3.39 post-only  rested rest 1
        margin alice on
        batch alice sell AAPL-C-190 1 @ 3.39 post-only stp maker  rejected post-only would trade
        batch alice sell AAPL-C-190 1 @ 3.395 gtd 1m post-only    rested rest 1`);
  });

  test('stays in force when the order is amended', () => {
    on(`batch alice buy AAPL-C-190 1 @ 3.39 post-only id a  rested rest 1
        batch alice amend a price 3.40                rejected post-only would trade
        batch alice amend a price 3.395               rested rest 1`);
  });
});

describe('TIF-3 reduce-only', () => {
  test('is cut to the position less what rests to close it', () => {
    on(`batch alice buy AAPL-C-190 5 @ market         filled 5@3.40
        batch alice sell AAPL-C-190 2 @ 4             rested rest 2
        batch alice sell AAPL-C-190 9 @ market ioc reduce-only   filled 3@3.30 of 3
        batch alice sell AAPL-C-190 1 @ market ioc reduce-only   rejected nothing to reduce
        position alice AAPL-C-190                     qty 2`);
  });

  test('status and fok speak of the cut quantity', () => {
    on(`batch alice buy AAPL-C-190 5 @ market         filled 5@3.40
        batch alice sell AAPL-C-190 100 @ 3.30 fok reduce-only   filled 5@3.30 of 5`);
  });

  test('is refused against nothing, and on the wrong side', () => {
    on(`batch alice sell AAPL-C-190 1 @ 3.30 ioc reduce-only   rejected nothing to reduce
        batch alice buy AAPL-C-190 1 @ market         filled 1@3.40
        batch alice buy AAPL-C-190 1 @ 3.40 ioc reduce-only    rejected nothing to reduce`);
  });
});

describe('STP-1 an order meets one of its own account', () => {
  const OWN = `
    margin alice on
    batch alice sell AAPL-C-190 2 @ 3.35 id own       rested rest 2
  `;

  test('taker gives up the incoming one', () => {
    on(`${OWN}
        batch alice buy AAPL-C-190 3 @ 3.40 id a      cancelled (self-trade prevented)
        account alice                                 orders 1
        closes alice                                  a stp`);
  });

  test('maker cancels the resting one and goes on', () => {
    on(`${OWN}
        batch alice buy AAPL-C-190 3 @ 3.40 stp maker id a  filled 3@3.40
        closes alice                                  own stp, a filled`);
  });

  test('both does both', () => {
    on(`${OWN}
        batch alice buy AAPL-C-190 3 @ 3.40 stp both id a   cancelled (self-trade prevented)
        account alice                                 orders 0
        closes alice                                  own stp, a stp`);
  });

  test('none trades, as an order placed by itself does', () => {
    on(`${OWN}
        batch alice buy AAPL-C-190 1 @ 3.40 stp none  filled 1@3.35
        buy alice AAPL-C-190 1 @ 3.40                 filled 1@3.35`);
  });

  test('what traded before stays', () => {
    on(`margin alice on
        batch alice sell AAPL-C-190 2 @ 3.45 id own   rested rest 2
        batch alice buy AAPL-C-190 8 @ 3.50           partial 5@3.40 (self-trade prevented)`);
  });

  test('BAT-6: a fok order stopped by an own order cannot fill, and a rejected one cancels nothing', () => {
    on(`${OWN}
        batch alice buy AAPL-C-190 3 @ 3.40 fok       rejected fok cannot fill
        batch alice buy AAPL-C-190 11 @ 3.50 fok stp maker   rejected fok cannot fill
        account alice                                 orders 1
        batch alice buy AAPL-C-190 10 @ 3.50 fok stp maker   filled 5@3.40 5@3.50`);
  });

  test('BAT-6: what the order is about to cancel is no means', () => {
    on(`margin alice on
        batch alice buy AAPL-C-210 30000 @ 3.20       rested rest 30000
        account alice                                 buyingPower 4000
        batch alice sell AAPL-C-210 200 @ 3.20 stp maker   rejected insufficient margin for short (need ~6640.00, have 4000.00)
        account alice                                 orders 1`);
  });

  test('DET-2: a market order that meets own orders alone', () => {
    on(`quote AAPL-C-190 bid - ask -
        ${OWN}
        batch alice buy AAPL-C-190 1 @ market         cancelled (self-trade prevented)
        batch alice buy AAPL-C-190 1 @ market stp maker   rejected no liquidity
        account alice                                 orders 1
        batch alice buy AAPL-C-190 1 @ market fok     rejected fok cannot fill
        batch alice buy AAPL-C-190 1 @ market stp both    cancelled (self-trade prevented)
        account alice                                 orders 0`);
  });
});

describe('DUE-1 deadlines', () => {
  test('an entry carries out what is due before its own action, timed orders before a guard', () => {
    on(`batch alice guard 10s ; buy AAPL-C-190 1 @ 3.20 gtd 10s id a ; buy AAPL-C-190 1 @ 3.10 id b   ok ; rested rest 1 ; rested rest 1
        wait 10s
        batch alice guard 10s                         ok
        closes alice                                  a gtd, b guard
        guard alice                                   in 10s`);
  });

  test('by deadline first, whatever the order of placing', () => {
    on(`batch alice buy AAPL-C-190 1 @ 3.20 gtd 20s id late ; buy AAPL-C-190 1 @ 3.20 gtd 10s id soon   rested rest 1 ; rested rest 1
        wait 30s
        spot BTC 100000
        closes alice                                  soon gtd, late gtd`);
  });

  test('the state tells the next deadline, of a timed order or a guard, and none once all are carried out', () => {
    const venue = on(`batch alice buy AAPL-C-190 1 @ 3.20 gtd 20s id a   rested rest 1`);
    const startMs = venue.nowMs;
    assert.equal(nextDeadlineMs(venue.state), startMs + 20_000);
    scenario('batch bob guard 10s   ok', venue);
    assert.equal(nextDeadlineMs(venue.state), startMs + 10_000);
    for (const expected of [startMs + 20_000, null]) {
      scenario('wait 10s\nspot BTC 100000', venue);
      assert.equal(nextDeadlineMs(venue.state), expected);
    }
  });

  test('an entry that is refused carries out what is due, too', () => {
    const venue = on(`batch alice buy AAPL-C-190 1 @ 3.20 gtd 10s id a   rested rest 1`);
    venue.wait(10_000);
    const authorization = { sessionKey: addressOf('nobody'), nonce: venue.nowMs, signature: '0x' } as const;
    const account = addressOf('alice');
    venue.apply({ kind: 'margin', account, enabled: true, authorization });
    assert.deepEqual(venue.takeCloses('alice'), ['a gtd']);
  });
});

describe('AMD-1 amends', () => {
  const QUEUE = `
    batch alice buy AAPL-C-190 5 @ 3.35 id a          rested rest 5
    batch bob buy AAPL-C-190 5 @ 3.35 id b            rested rest 5
  `;

  test('a smaller total at an unchanged price keeps its place', () => {
    on(`${QUEUE}
        batch alice amend a qty 2                     rested rest 2
        margin carol on
        sell carol AAPL-C-190 3 @ 3.35                filled 2@3.35 1@3.35
        closes alice                                  a filled`);
  });

  test('a larger one goes to the end of the queue', () => {
    on(`${QUEUE}
        batch alice amend a qty 6                     rested rest 6
        margin carol on
        sell carol AAPL-C-190 5 @ 3.35                filled 5@3.35
        closes bob                                    b filled
        closes alice                                  none`);
  });

  test('what is filled counts, and a total at or below it cancels the rest', () => {
    on(`${QUEUE}
        margin carol on
        sell carol AAPL-C-190 2 @ 3.35                filled 2@3.35
        batch alice amend a qty 4                     rested rest 2
        batch alice amend a qty 2                     cancelled
        closes alice                                  a user
        batch bob amend b qty 0                       cancelled`);
  });

  test('more filled than expected', () => {
    on(`${QUEUE}
        margin carol on
        sell carol AAPL-C-190 2 @ 3.35                filled 2@3.35
        batch alice amend a qty 9 at-most 1.999999     rejected filled more than expected
        batch alice amend a qty 9 at-most 2            rested rest 7`);
  });

  test('a better price may trade, and the order keeps its id', () => {
    const venue = on(`${QUEUE}
        batch alice amend a price 3.40                filled 5@3.40
        closes alice                                  a filled`);
    assert.equal(venue.takeFills('alice').at(-1)!.orderId, 4);
  });

  test('counterexample 23: tested as if the old order had just been cancelled', () => {
    const venue = on(`batch alice buy AAPL-C-190 30000 @ 3.20 id a   rested rest 30000
        batch alice amend a price 3.30                rested rest 30000
        batch alice amend a price 3.34                rejected insufficient buying power (need ~100200.00, have 100000.00)
        account alice                                 locked 99000`);
    assert.equal(venue.state.orders.count, 4);
  });

  test('a refused amend leaves the order in its place', () => {
    on(`${QUEUE}
        batch alice amend a price 0                   rejected bad price
        batch alice amend a qty 9000000000            rejected bad qty
        margin carol on
        sell carol AAPL-C-190 5 @ 3.35                filled 5@3.35
        closes alice                                  a filled`);
  });

  test('a refused amend leaves an order that is alone at its price, and the mark', () => {
    on(`batch alice buy AAPL-C-190 1 @ 3.38 id a      rested rest 1
        mark AAPL-C-190                               3.39
        batch alice amend a qty 9000000000            rejected bad qty
        mark AAPL-C-190                               3.39`);
  });

  test('orders of others, closed and unknown ones are unknown', () => {
    on(`${QUEUE}
        batch alice amend #5 qty 1                    rejected unknown order
        batch alice amend b qty 1                     rejected unknown order
        batch alice cancel a ; amend a qty 1          ok ; rejected unknown order
        batch alice cancel #5 ; cancel nope           not ok ; not ok`);
  });

  test('an order placed by itself can be amended and then trades with its own account', () => {
    on(`margin alice on
        buy alice AAPL-C-190 1 @ 3.35                 rested
        sell alice AAPL-C-190 1 @ 3.39                rested
        batch alice amend #4 price 3.39               filled 1@3.39`);
  });

  test('in a margin call only less of the same passes', () => {
    on(`margin alice on
        quote AAPL-C-200 bid 5x5000 ask 6x5000
        sell alice AAPL-C-200 2000 @ 5                filled 2000@5
        batch alice buy AAPL-C-190 10 @ 3.20 id a     rested rest 10
        spot AAPL 400
        account alice                                 marginCall yes
        batch alice amend a qty 5                     rested rest 5
        batch alice amend a price 3.10                rejected margin call — reduce-only (buy back shorts)`);
  });
});

describe('GRD-1 guards', () => {
  test('take all orders when due, and are gone', () => {
    on(`batch alice buy AAPL-C-190 1 @ 3.20 id a ; guard 5s   rested rest 1 ; ok
        buy alice AAPL-C-190 1 @ 3.10                 rested
        wait 5s
        spot BTC 100000
        closes alice                                  a guard, #5 guard
        guard alice                                   none`);
  });

  test('each one replaces the one before, and 0 removes it', () => {
    on(`batch alice buy AAPL-C-190 1 @ 3.20 ; guard 5s  rested rest 1 ; ok
        wait 4s
        batch alice guard 60s                         ok
        wait 4s
        account alice                                 orders 1
        guard alice                                   in 56s
        batch alice guard off ; guard off             ok ; ok
        wait 60s
        spot BTC 100000
        account alice                                 orders 1`);
  });
});

describe('BAT-2 actions of one batch', () => {
  test('each is carried out on the state that the one before left', () => {
    on(
      `batch alice buy AAPL-C-190 5 @ market ; sell AAPL-C-190 5 @ 3.60 id out ; amend out price 3.55 ; cancel out   filled 5@3.40 ; rested rest 5 ; rested rest 5 ; ok`,
    );
  });

  test('BAT-3: a declined one changes nothing and stops no other', () => {
    on(
      `batch alice buy AAPL-C-190 0 @ 1 ; sell AAPL-C-190 1 @ 4 ; buy AAPL-C-190 1 @ 3.20   rejected bad qty ; rejected margin is off — enable margin to sell short ; rested rest 1`,
    );
  });

  test('cancel-all takes symbols, series and a side', () => {
    on(`batch alice buy AAPL-C-190 1 @ 1 ; buy AAPL-C-200 1 @ 1 ; buy BTC-C-100000 0.1 @ 1   rested rest 1 ; rested rest 1 ; rested rest 0.1
        batch alice cancel-all sell ; cancel-all series AAPL-C-200 ; cancel-all symbols BTC buy ; cancel-all   pulled 0 ; pulled 1 ; pulled 1 ; pulled 1`);
  });

  test('a batch equals its actions one by one', () => {
    const actions = (venue: Venue): BatchAction[] => [
      place('a', '3.20'),
      place('b', '3.40'),
      { type: 'amend', ref: { clientId: 'a' }, priceMicros: micros('3.30') },
      { type: 'guard', ms: 10_000 },
      { type: 'cancel', ref: { orderId: venue.state.lastOrderId + 1 } },
    ];
    const [together, apart] = [on(''), on('')];
    for (const venue of [together, apart]) venue.account('alice');
    const account = addressOf('alice');
    together.apply({ kind: 'batch', account, actions: actions(together) });
    for (const action of actions(apart)) apart.apply({ kind: 'batch', account, actions: [action] });
    apart.state.seq = together.state.seq;
    assert.equal(stateDigest(apart.state), stateDigest(together.state));
  });
});

function place(clientId: string, price: string): BatchAction {
  const terms = { tif: 'gtc', stp: 'taker', clientId } as const;
  const amounts = { qtyMicros: micros('1'), priceMicros: micros(price) };
  return { type: 'place', seriesId: seriesIdOf('AAPL-C-190'), side: 'buy', ...amounts, ...terms };
}
