/** OPS-1: what an operator reads first. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExposedAccount, ExposedExpiry, ExposureReport } from '@venue/protocol';
import type { Watched } from './admin-console.ts';
import { glanceOf } from './glance.ts';
import { parseMetrics } from './metrics.ts';

const NOW_MS = 1_772_931_600_000;

const account = (n: number, more: Partial<ExposedAccount> = {}): ExposedAccount => ({
  address: `0x${String(n).repeat(40)}` as ExposedAccount['address'],
  ...{ equity: 1_000, requirement: 900, maintenance: 600, exposure: 5_000, positions: 1, quoteSets: 0 },
  calledSince: null,
  ...more,
});
const expiry = (symbol: string, amount: number, houseShare = 0): ExposedExpiry => ({
  ...{ symbol, expiryTs: NOW_MS / 1_000 + 86_400, isPendingReview: false, openInterest: 3 },
  ...{ grossNotional: 9, netNotional: -3, makerShare: 0.5, houseShare, uncoveredCalls: 0 },
  worst: { amount, at: 120_000 },
});

function watched(exposure: Partial<ExposureReport> = {}, more: Partial<Watched> = {}): Watched {
  return {
    mode: 'paper',
    isHealthy: true,
    ...{ instruments: [], reviews: [], settlements: [], money: null, trend: [], audit: [], verdict: null },
    metrics: parseMetrics('venue_log_contact_age_seconds 0.1'),
    exposure: {
      ts: NOW_MS,
      ...{ calledCount: 0, called: [], heldCount: 0, largest: [], expiries: [], stops: [], proposals: [] },
      ...exposure,
    },
    ...more,
  };
}

const said = (given: Watched) => glanceOf(given).map(({ answer, detail }) => `${answer}: ${detail}`);

describe('OPS-1 the page at a glance', () => {
  it('of a quiet venue says that nothing is the matter', () => {
    assert.deepEqual(said(watched()), [
      'Nobody in call: no large account holds shorts',
      'Nothing: no open interest',
      'No orders: p99 of the last minute at this node; no errors, all prices fresh',
      'Nothing: no review, proposal, payout or deposit',
    ]);
    assert.ok(glanceOf(watched()).every(({ isUrgent }) => !isUrgent));
  });

  it('names the account that has been in call for longest, and with none in call the nearest to one', () => {
    const called = [
      account(1, { equity: 0, calledSince: null }),
      account(2, { equity: 100, calledSince: NOW_MS - 3_000 }),
      account(3, { equity: 500, calledSince: NOW_MS - 8_000 }),
    ];
    assert.equal(
      said(watched({ called, calledCount: 5 }))[0],
      '5 in call: 0x3333…3333: in call 8 s, short of $100.00',
    );
    assert.match(
      said(watched({ called: called.slice(0, 1), calledCount: 1 }))[0]!,
      /in call at the next tick/,
    );
    const largest = [account(4, { maintenance: 0 }), account(5), account(6, { equity: 700 })];
    assert.equal(
      said(watched({ largest }))[0],
      'Nobody in call: nearest of the largest: 0x6666…6666, $100.00 above its call',
    );
  });

  it('names the expiry that may cost most, and warns of what the house took over', () => {
    const expiries = [expiry('BTC', -200), expiry('ETH', -900.5), expiry('SOL', 40)];
    assert.equal(said(watched({ expiries }))[1], '$900.50: on ETH 8 Mar, settled at 120,000.00');
    assert.equal(glanceOf(watched({ expiries }))[1]!.isUrgent, false);
    const [, taken] = glanceOf(watched({ expiries: [expiry('BTC', 7, 0.1)] }));
    assert.deepEqual([taken!.answer, taken!.isUrgent], ['Nothing', true]);
    assert.match(taken!.detail, /the house holds some of 1$/);
  });

  it('names the makers, who hold what they hold on their own account', () => {
    const largest = [
      account(4, { quoteSets: 2, exposure: 100_000 }),
      account(5, { quoteSets: 0, exposure: 9 }),
      account(6, { quoteSets: 1, exposure: 68_618 }),
    ];
    assert.match(
      said(watched({ largest, expiries: [expiry('BTC', 7)] }))[1]!,
      /; makers 0x4444…4444, 0x6666…6666 hold \$168,618\.00 gross on their own account$/,
    );
  });

  it('says what is slow, fails or is silent, of the last minute', () => {
    const point = (atMs: number, count: number, failed: number) => ({
      atMs,
      answered: [[0.05, 0] as const, [0.5, count] as const, [Number.POSITIVE_INFINITY, count] as const],
      ...{ failed, logBytes: 0, houseCash: 0, funded: 0 },
    });
    const trend = [point(NOW_MS - 30_000, 0, 0), point(NOW_MS, 10, 2)];
    const instruments = [{ symbol: 'BTC', feedFresh: false }] as unknown as Watched['instruments'];
    const metrics = parseMetrics('venue_log_contact_age_seconds 3');
    const [, , health] = glanceOf(watched({}, { isHealthy: false, trend, instruments, metrics }));
    assert.equal(health!.answer, 'Orders 496 ms');
    assert.equal(
      health!.detail,
      'node not healthy, log heard 3.0 s ago, no price of BTC, 4.0 errors a minute, slow orders',
    );
  });

  it('counts what waits for a person, and says when the first of it ends', () => {
    const proposal = { id: 1, secret: 1, seriesId: null, symbol: 'ETH', expiryTs: 1, ts: NOW_MS } as const;
    const proposals = [90_000, 65_000].map((ms) => ({ ...proposal, expiresAt: NOW_MS + ms }));
    const payouts = [
      { state: 'requested', waits: 'above the limit' },
      { state: 'requested', waits: null },
      { state: 'committed', waits: null },
    ];
    const money = { held: [{}], payouts } as unknown as Watched['money'];
    const reviews = [{}] as unknown as Watched['reviews'];
    const [, , , waits] = glanceOf(watched({ proposals }, { reviews, money }));
    assert.equal(waits!.answer, '5');
    assert.equal(waits!.detail, '1 in review, 2 proposed, 1 payout, 1 held deposit; first ends in 1 min 5 s');
  });
});
