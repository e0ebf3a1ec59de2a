/** Spreads by the command, on a venue in this process whose books stand still. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Json, type LocalVenue, pricedVenue } from '../../../../exchange/test/support.ts';
import { type Ended, runInProcess } from '../../../test/in-process.ts';
import { spreadUsages } from './spread-kinds.ts';

const home = mkdtempSync(join(tmpdir(), 'venue-cli-combos-'));
let venue: LocalVenue;
/** Calls and puts of three strikes around the spot of 100,000. */
let expiryTs: number;
let strikes: readonly number[];

before(async () => {
  venue = await pricedVenue({ VENUE_QUOTE_TTL_MS: '86400000' });
  ({ expiryTs } = await venue.listed('BTC'));
  const { body } = await venue.get('/v1/series?symbol=BTC');
  const own = body.series.filter((series: Json) => series.expiryTs === expiryTs);
  const all: number[] = [...new Set<number>(own.map(({ strike }: Json) => strike))].sort((a, b) => a - b);
  const middle = all.indexOf(100_000);
  strikes = all.slice(middle - 1, middle + 2);
  const rows = strikes.flatMap((strike, i) =>
    (['C', 'P'] as const).map((right) => {
      // Calls at 1,400, 1,000 and 600, puts the other way round, each with two dollars between bid and ask.
      const mid = right === 'C' ? 1_400 - 400 * i : 600 + 400 * i;
      const { sid } = own.find((series: Json) => series.right === right && series.strike === strike);
      return [sid, [[mid - 1, 5]], [[mid + 1, 5]]];
    }),
  );
  const { body: quoted } = await venue.quote({ rows });
  assert.equal(quoted.errors, 0);
  await done('wallet new');
  await done('session approve');
  await done('margin on');
});
after(async () => {
  await venue?.exchange.stop();
  rmSync(home, { recursive: true, force: true });
});

function run(words: string): Promise<Ended> {
  return runInProcess(words.split(' '), { VENUE_URL: venue.url, VENUE_HOME: home });
}

async function done(words: string): Promise<string> {
  const { code, stdout, stderr } = await run(words);
  assert.deepEqual([code, stderr], [0, ''], words);
  return stdout;
}

const json = async (words: string): Promise<Json> => JSON.parse(await done(`${words} --json`));
const call = (i: number) => `BTC-${expiryTs}-C-${strikes[i]}`;

/** The command's exit code and what it says of the failure. */
async function failed(words: string): Promise<readonly [number, string]> {
  const { code, stderr } = await run(words);
  return [code, stderr];
}

describe('CMB-1 spreads on the command line', () => {
  it('the help names the words of every spread', async () => {
    const help = await done('spread --help');
    for (const usage of spreadUsages()) assert.ok(help.includes(`  ${usage}`), usage);
    assert.match(help, /^Usage: venue spread \[options\] <kind> <symbol> <words...>$/m);
    assert.match(help, /--qty <qty> +units \(1\)$/m);
    assert.match(await done('roll --help'), /--qty <qty> +units \(all that is held\)$/m);
    assert.match(await done('preview --help'), /"venue combo", "spread" and "roll" have a flag --preview/);
  });

  it('a preview says what it costs and can lose, and places nothing', async () => {
    const text = await done(`spread vertical BTC call atm atm+1 --expiry ${expiryTs} --preview`);
    assert.match(
      text,
      /^bull call spread {2}combo of 1: buy 1 \S+, sell 1 \S+ at no more than 402.00 USD net$/m,
    );
    assert.match(text, /^premium paid +402.00 USD$/m);
    // Fees are half a percent of both premiums.
    assert.match(text, /^cash out +410.00 USD$/m);
    const width = strikes[2]! - strikes[1]!;
    assert.match(
      text,
      new RegExp(
        `^at expiry +it can lose at most 410.00 USD, it can gain at most ${width - 410}.00 USD; it breaks even at 100410$`,
        'm',
      ),
    );
    const { greatestLoss, status, cost } = await json(`combo buy:${call(1)} sell:${call(2)} --preview`);
    assert.deepEqual([greatestLoss, status, cost], [410, 'filled', 402]);
    assert.deepEqual(await json('positions'), []);
  });

  it('one that would be declined says so, and what it could lose at the best prices', async () => {
    await done('margin off');
    const words = `combo buy:${call(1)} sell:${call(2)}`;
    const { code, stdout, stderr } = await run(`${words} --preview`);
    assert.deepEqual([code, /rejected: margin is off/.test(stderr)], [1, true], stderr);
    assert.match(stdout, /^fills +none$/m);
    const width = strikes[2]! - strikes[1]!;
    assert.match(
      stdout,
      new RegExp(
        `^at expiry +at the best prices now and without fees, it can lose at most 402.00 USD, it can gain at most ${width - 402}.00 USD; it breaks even at 100402$`,
        'm',
      ),
    );
    const { greatestLoss, isEstimate } = JSON.parse((await run(`${words} --preview --json`)).stdout);
    assert.deepEqual([greatestLoss, isEstimate], [402, true]);
    // Nothing can be said of what is not listed.
    const unlisted = await run(`combo buy:${call(1)} buy:BTC-${expiryTs}-C-1 --net 1 --preview`);
    assert.equal(unlisted.code, 1);
    assert.doesNotMatch(unlisted.stdout, /at expiry/);
    assert.match(unlisted.stderr, /rejected: unknown series/);
    await done('margin on');
  });

  it('one that closes positions says what it closes, and what the rest of it can lose', async () => {
    await done(`buy ${call(1)} 0.5 --market`);
    // Half of the premium of 601, and the fees of both.
    assert.match(
      await done(`roll ${call(1)} ${call(2)} --preview`),
      new RegExp(
        `^at expiry +it closes 0.5 ${call(1)}; what it opens can lose at most 304.50 USD, it can gain without limit; it breaks even at ${strikes[2]! + 609}$`,
        'm',
      ),
    );
    const back = await json(`combo sell:${call(1)} buy:${call(2)} --qty 0.5 --preview`);
    assert.deepEqual(
      [back.opens, back.closes, back.greatestLoss, back.greatestGain],
      [[{ seriesId: call(2), qty: 0.5 }], [{ seriesId: call(1), qty: -0.5 }], 304.5, null],
    );
    await done(`sell ${call(1)} 0.5 --market`);
  });

  it('a spread, a combo of its legs the other way round, a roll, and what is left', async () => {
    const bought = await json(
      `spread vertical BTC call atm atm+1 --expiry ${expiryTs} --qty 0.5 --client-id first`,
    );
    assert.deepEqual([bought.status, bought.clientId, bought.fills.length], ['filled', 'first', 2]);
    const quantities = async () =>
      (await json('positions')).map(({ seriesId, qty }: Json) => [seriesId, qty]);
    assert.deepEqual(await quantities(), [
      [call(1), 0.5],
      [call(2), -0.5],
    ]);
    const rolled = await json(`roll ${call(2)} ${call(0)} --qty 0.25`);
    assert.deepEqual(
      rolled.fills.map(({ seriesId, side, qty }: Json) => [seriesId, side, qty]),
      [
        [call(2), 'buy', 0.25],
        [call(0), 'sell', 0.25],
      ],
    );
    assert.deepEqual(await quantities(), [
      [call(1), 0.5],
      [call(2), -0.25],
      [call(0), -0.25],
    ]);
    const text = await done(
      `combo sell:2:${call(1)} buy:${call(2)} buy:${call(0)} --qty 0.25 --net none --tif fok`,
    );
    assert.match(text, /^status +filled$/m);
    assert.deepEqual(await quantities(), []);
  });

  it('what does not fit is refused with the code of its kind, and nothing is sent', async () => {
    const cases: readonly (readonly [string, number, RegExp])[] = [
      [
        `combo buy:${call(1)} sell:${call(2)} --net 1`,
        1,
        /nothing traded: the books hold nothing at that net/,
      ],
      [`combo buy:${call(1)} sell:${call(2)} --net 1 --tif fok`, 1, /rejected: fok cannot fill/],
      [`combo buy:${call(1)} sell:${call(1)}`, 2, /each leg of a combo is of another contract/],
      [`combo buy:${call(1)} buy:BTC-${expiryTs}-C-1`, 1, /unknown series/],
      [`combo buy:${call(1)} sell:${call(2)} --net 1e3`, 2, /--net must be a plain decimal/],
      [`combo buy:${call(1)} sell:${call(2)} --qty 0`, 2, /--qty must be more than zero/],
      [`combo buy:${call(1)} sell:${call(2)} --client-id a,b`, 2, /--client-id is 1 to 36/],
      [`roll ${call(1)} ${call(2)}`, 5, /no position in .* nothing to roll/],
      [`roll ${call(1)} ${call(1)}`, 2, /from one contract to another/],
      [`roll ${call(1)} AAPL-${expiryTs}-C-1`, 2, /stays on one underlying/],
      ['spread ladder BTC atm', 2, /a spread is vertical, straddle, .* not "ladder"/],
      ['spread ladder BTC', 2, /a spread is vertical, straddle, .* not "ladder"/],
      ['spread ladder', 2, /a spread is vertical, straddle, .* not "ladder"/],
      ['spread straddle', 2, /it is written: venue spread straddle SYMBOL buy\|sell STRIKE/],
      [
        'spread vertical BTC call atm',
        2,
        /it is written: venue spread vertical SYMBOL call\|put BOUGHT SOLD/,
      ],
      ['spread vertical BTC both atm atm+1', 2, /right must be call or put, not both/],
      ['spread straddle BTC buy atm+999', 2, /atm\+999 is beyond the strikes/],
      ['spread straddle BTC buy deep', 2, /a strike must be a plain decimal/],
      ['spread calendar BTC buy call atm', 2, /--far names the later one/],
      ['spread collar BTC atm-1 atm+1 --far 2026-11-27', 2, /--far belongs to a calendar/],
      [
        `spread strangle BTC buy atm-3 atm+3 --expiry ${expiryTs}`,
        1,
        /nobody offers .* now: nothing was sent/,
      ],
    ];
    for (const [words, exit, message] of cases) {
      const [code, stderr] = await failed(words);
      assert.equal(code, exit, `${words}: ${stderr}`);
      assert.match(stderr, message, words);
    }
    assert.deepEqual(await json('positions'), []);
  });

  it('CMB-4: a simulation shows what changes, and a line for every tenth of the spot', async () => {
    const text = await done(`simulate sell:1:${call(1)}@1000 --spot-shift 10`);
    assert.match(text, /^equity +\S+ USD -> \S+ USD$/m);
    assert.match(text, /^positions +0 -> 1$/m);
    const rows = text.split('\n').filter((line) => /^ *\d+ +-?\d+\.\d\d +-?\d+\.\d\d$/.test(line));
    assert.equal(rows.length, 11, text);
    // Sold at 1,000: at twice half the imagined spot of 110,000 it pays ten thousand.
    assert.match(rows[5]!, /^ *110000 .* -9000.00$/);
    const { curves, margin } = await json(`simulate sell:1:${call(1)} --vol-shift -2.5`);
    assert.deepEqual([curves[0].prices.length, margin.series[0].qty], [41, -1]);
    assert.deepEqual(await json('positions'), []);
    // The limits that the help names are the venue's.
    await done('simulate --spot-shift -99 --vol-shift 500');
    await done('simulate --spot-shift 1000 --vol-shift -500');
    for (const [words, message] of [
      ['simulate --spot-shift much', /--spot-shift is a percentage like 10 or -2.5, not "much"/],
      ['simulate --spot-shift -100', /--spot-shift is a percentage from -99 to 1000, not "-100"/],
      ['simulate --spot-shift 1000.01', /--spot-shift is a percentage from -99 to 1000/],
      ['simulate --vol-shift 501', /--vol-shift is a number of points from -500 to 500, not "501"/],
      ['simulate buy', /a leg is buy:QTY:SERIES/],
    ] as const) {
      const [code, stderr] = await failed(words);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });

  it('DRM-5: margin shows its groups, which long covers which short, and what stays uncovered', async () => {
    assert.match(await done('margin'), /^margin +on, per-leg$/m);
    await done(`combo buy:${call(2)} sell:${call(1)} --net none`);
    await done(`spread vertical BTC put atm-1 atm --expiry ${expiryTs} --net none`);
    const perLeg = await done('margin');
    assert.match(perLeg, /^short +qty +selling +each USD +locks USD +maintenance USD$/m);
    assert.match(perLeg, new RegExp(`^${call(1)} +-1 `, 'm'));
    assert.equal(await done('margin defined-risk'), 'margin is defined-risk\n');
    assert.equal((await json('margin')).groups[0].rule, 'B');
    const width = strikes[2]! - strikes[1]!;
    const [group] = [/^BTC \S+.*$/m.exec(await done('margin'))![0]];
    // The wider side, with a micro for each covered series.
    assert.match(group, new RegExp(`greatest loss +${width}.000004 +\\S+ +${width}.00 +\\d+.00$`));
    await done(`sell ${call(0)} 0.5 --market`);
    const covered = await done('margin');
    assert.match(covered, /^BTC \S+.* cheapest cover /m);
    assert.match(covered, new RegExp(`^${call(1)} +${call(2)} +1.0 +${width}.00$`, 'm'));
    assert.match(covered, new RegExp(`^${call(0)} +nothing +0.5 +\\d+`, 'm'));
    const [code, stderr] = await failed('margin both');
    assert.equal(code, 2, stderr);
    assert.match(stderr, /on, off, defined-risk, per-leg/);
  });
});
