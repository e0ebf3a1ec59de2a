// @process vault-batcher
// @seconds 8

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Environment } from '@venue/config';
import { type ExchangeProxy, startExchangeProxy } from '../../test/exchange-proxy.ts';
import { credit, funded, has, reached, statesOf } from '../../test/payouts.ts';
import type { Json } from '../../test/rpc-proxy.ts';
import { CONFIRMATIONS, type Trader, type World } from '../../test/world.ts';

interface Heist {
  readonly world: World;
  readonly alice: Trader;
  readonly bob: Trader;
  readonly proxy: ExchangeProxy;
}

/** Two traders with money, and the batcher's exchange behind a liar. */
async function heist(t: TestContext): Promise<Heist> {
  const { world, alice } = await funded(t);
  const bob = await world.trader(3);
  await credit(world, bob, 100_000_000);
  return { world, alice, bob, proxy: await startExchangeProxy(t, world.exchange.url) };
}

/** Changes the row of one payout in every list. */
function rewriteRow(proxy: ExchangeProxy, id: number, change: (row: Json) => Json): void {
  proxy.rewrite = (request, body) =>
    request === 'GET /v1/operator/payouts'
      ? { payouts: body.payouts.map((row: Json) => (row.id === id ? change(row) : row)) }
      : body;
}

/** Runs the batcher on a list in which payout 1 is a lie and payout 2 is not. */
async function onlySecondIsPaid(
  { world, alice, bob, proxy }: Heist,
  why: RegExp,
  changes: Environment = {},
): Promise<void> {
  await alice.venue.withdrawals.request(60);
  await bob.venue.withdrawals.request(7);
  const batcher = world.pay({ VENUE_URL: proxy.url, ...changes });
  await has(batcher, why);
  await reached(batcher, 'batch-mined');
  await world.confirm(CONFIRMATIONS);
  await reached(batcher, 'batch-closed');
  assert.deepEqual(
    (await world.committed()).map(({ id, account, amount }) => [id, account, amount]),
    [[2, bob.address, 7_000_000n]],
  );
  assert.deepEqual(await statesOf(bob), ['committed']);
  assert.equal(await batcher.stop(), undefined);
}

describe('CUS-5: an exchange in the hands of a thief', () => {
  test('cannot send a payout to another address', async (t) => {
    const all = await heist(t);
    const thief = all.world.chain.accounts[9]!.address.toLowerCase();
    rewriteRow(all.proxy, 1, (row) => ({ ...row, address: thief }));
    await onlySecondIsPaid(
      all,
      /^ALARM: left out: payout 1: the approval of its session key is not signed by 0x/,
    );
  });

  test('cannot send it to another trader, with the approval that this one signed', async (t) => {
    const all = await heist(t);
    let approvalOfBob: Json = null;
    all.proxy.rewrite = (request, body) => {
      if (request !== 'GET /v1/operator/payouts') return body;
      approvalOfBob ??= body.payouts.find((row: Json) => row.id === 2)?.approval;
      const payouts = body.payouts.map((row: Json) =>
        row.id === 1 ? { ...row, address: all.bob.address, approval: approvalOfBob } : row,
      );
      return { payouts };
    };
    await onlySecondIsPaid(
      all,
      /^ALARM: left out: payout 1: the approval of its session key is not signed by 0x/,
    );
  });

  test('CUS-19: cannot claim that a contract approved it: the chain is asked', async (t) => {
    const all = await heist(t);
    const attestation = { chainId: 31_337, blockNumber: 1, blockHash: `0x${'ab'.repeat(32)}` };
    const thief = all.world.chain.accounts[9]!.address.toLowerCase();
    rewriteRow(all.proxy, 1, (row) => ({
      ...row,
      address: thief,
      approval: { ...row.approval, attestation },
    }));
    await onlySecondIsPaid(
      all,
      /^wait: payout 1 of 60.00: its contract wallet does not confirm the approval of its session key/,
    );
  });

  test('cannot raise the amount', async (t) => {
    const all = await heist(t);
    rewriteRow(all.proxy, 1, (row) => ({ ...row, amountUsd: 90 }));
    await onlySecondIsPaid(
      all,
      /^ALARM: left out: payout 1: its session key 0x\w+ did not sign a withdrawal of that/,
    );
  });

  test('cannot invent a signature', async (t) => {
    const all = await heist(t);
    rewriteRow(all.proxy, 1, (row) => ({
      ...row,
      withdrawal: { ...row.withdrawal, nonce: row.withdrawal.nonce + 1 },
    }));
    await onlySecondIsPaid(
      all,
      /^ALARM: left out: payout 1: its session key 0x\w+ did not sign a withdrawal of that/,
    );
  });

  test('cannot pass a withdrawal off as one of another time, or of an ended session', async (t) => {
    const all = await heist(t);
    rewriteRow(all.proxy, 1, (row) => ({ ...row, requestedAt: row.requestedAt + 120_000 }));
    await onlySecondIsPaid(all, /^ALARM: left out: payout 1: its withdrawal was signed at another time/);
  });

  test('cannot leave the words out, and the exchange shows what the payout waits for', async (t) => {
    const all = await heist(t);
    rewriteRow(all.proxy, 1, (row) => ({ ...row, approval: null }));
    await onlySecondIsPaid(all, /^wait: payout 1 of 60.00: it carries no words that its owner signed/);
    const [row] = await Array.fromAsync(all.world.custody.payouts({ state: 'requested' }));
    assert.match(row!.waits ?? '', /^it carries no words that its owner signed: an approver has to sign/);
  });

  test('cannot have a withdrawal paid again under a new number, even by a batcher that was started again', async (t) => {
    const { world, alice, proxy } = await heist(t);
    await alice.venue.withdrawals.request(60);
    const first = world.pay({ VENUE_URL: proxy.url });
    await reached(first, 'batch-mined');
    await world.confirm(CONFIRMATIONS);
    await reached(first, 'batch-closed');
    await first.stop();
    const [paid] = await Array.fromAsync(world.custody.payouts());
    proxy.rewrite = (request, body) =>
      request === 'GET /v1/operator/payouts'
        ? { payouts: [...body.payouts, { ...paid, id: 9, payoutId: 9, state: 'requested' }] }
        : body;
    const second = world.pay({ VENUE_URL: proxy.url });
    await has(second, /^ALARM: left out: payout 9: its withdrawal was signed for payout 1/);
    assert.deepEqual(
      (await world.committed()).map(({ id }) => id),
      [1],
    );
    assert.equal(await world.entitlement(alice), 60_000_000n);
  });

  test('cannot hold the others up by listing a payout twice', async (t) => {
    const all = await heist(t);
    all.proxy.rewrite = (request, body) =>
      request === 'GET /v1/operator/payouts'
        ? {
            payouts: body.payouts.flatMap((row: Json) =>
              row.id === 2 ? [row, row] : [{ ...row, address: '0x' }],
            ),
          }
        : body;
    await onlySecondIsPaid(all, /^ALARM: left out: .*payout 2: it is listed twice/);
  });

  const malformed: [string, (row: Json) => Json][] = [
    [
      'lists in place of signatures',
      (row) => ({ ...row, approval: { ...row.approval, signature: [row.approval.signature] } }),
    ],
    [
      'numbers in place of addresses',
      (row) => ({ ...row, withdrawal: { ...row.withdrawal, sessionKey: 7 } }),
    ],
    ['texts in place of numbers', (row) => ({ ...row, requestedAt: `${row.requestedAt}` })],
    ['an amount that is none', (row) => ({ ...row, amountUsd: '60' })],
    [
      'approvals that are none',
      (row) => ({ ...row, approval: {}, approvals: [null, { signature: 5 }, 'x'] }),
    ],
    ['no number', (row) => ({ ...row, payoutId: null })],
    ['lines', (row) => ({ ...row, address: `0x\nALARM: ${'x'.repeat(5_000)}` })],
  ];
  for (const [what, change] of malformed)
    test(`cannot stop it with ${what}`, async (t) => {
      const all = await heist(t);
      rewriteRow(all.proxy, 1, change);
      const approvers = { VENUE_PAYOUT_APPROVERS: all.world.chain.accounts[7]!.address };
      await onlySecondIsPaid(all, /^ALARM: left out: payout 1: [^\n]{5,320}$/, approvers);
    });

  test('cannot list one withdrawal twice', async (t) => {
    const { world, alice, proxy } = await heist(t);
    await alice.venue.withdrawals.request(30);
    proxy.rewrite = (request, body) =>
      request === 'GET /v1/operator/payouts' && body.payouts.length > 0
        ? { payouts: [...body.payouts, { ...body.payouts[0], id: 8, payoutId: 8 }] }
        : body;
    const batcher = world.pay({ VENUE_URL: proxy.url });
    await has(batcher, /^ALARM: left out: payout 8: its withdrawal was signed for payout 1/);
    await reached(batcher, 'batch-mined');
    assert.equal(await world.entitlement(alice), 30_000_000n);
  });

  test('a revoked session asks for nothing more, and what it asked for before is paid', async (t) => {
    const all = await heist(t);
    let revokedAt = Number.POSITIVE_INFINITY;
    rewriteRow(all.proxy, 1, (row) =>
      row.revocation === null ? row : { ...row, revocation: { ...row.revocation, revokedAt } },
    );
    const { alice, world, proxy } = all;
    await alice.venue.withdrawals.request(60);
    const [row] = await Array.fromAsync(world.custody.payouts());
    await alice.venue.auth.revokeSession(alice.wallet, row!.withdrawal!.sessionKey);
    revokedAt = 1;
    const batcher = world.pay({ VENUE_URL: proxy.url });
    await has(batcher, /^ALARM: left out: payout 1: its session was revoked before it was requested/);
    proxy.rewrite = (_, body) => body;
    await reached(batcher, 'batch-mined');
    assert.equal(await world.entitlement(alice), 60_000_000n);
  });
});

test('CUS-5: payouts without words are made on the word of the exchange where that is set', async (t) => {
  const { world, alice, proxy } = await heist(t);
  await alice.venue.withdrawals.request(60);
  rewriteRow(proxy, 1, (row) => ({ ...row, withdrawal: null, approval: null }));
  const batcher = world.pay({ VENUE_URL: proxy.url, VENUE_PAYOUT_UNPROVEN: '1' });
  await reached(batcher, 'batch-mined');
  assert.equal(await world.entitlement(alice), 60_000_000n);
});
