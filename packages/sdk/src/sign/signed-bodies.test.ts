import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress, parseSignature, personalDigest, recoverAddress } from '@venue/protocol';
import { addressOfPrivateKey } from '@venue/protocol/signing';
import { signCancel, signCancelOrder, signMargin, signOrder } from './signed-bodies.ts';
import type { Session } from './wallet.ts';

const privateKey = `0x${'11'.repeat(32)}` as const;
const session: Session = {
  account: parseAddress('0x00000000000000000000000000000000000000AA')!,
  privateKey,
  sessionKey: addressOfPrivateKey(privateKey),
  expiresAtMs: 2_000_000_000_000,
};
const seriesId = 'AAPL-1764374400-C-190.5';

function signerOf(text: string, signature: string | undefined) {
  return recoverAddress(personalDigest(text), parseSignature(signature!)!)?.address;
}

test('a limit order is signed over account, terms in micros and nonce', () => {
  const body = signOrder(session, { seriesId, side: 'buy', qty: 1.5, price: 12.25 }, 1_700_000_000_000);
  const text = [
    'Venue order v1',
    'account: 0x00000000000000000000000000000000000000aa',
    `series: ${seriesId}`,
    'side: buy',
    'qty: 1500000',
    'price: 12250000',
    'nonce: 1700000000000',
  ].join('\n');
  assert.equal(signerOf(text, body.signature), session.sessionKey);
  assert.deepEqual(
    { ...body, signature: '' },
    {
      seriesId,
      side: 'buy',
      qty: 1.5,
      price: 12.25,
      sessionKey: session.sessionKey,
      nonce: 1_700_000_000_000,
      signature: '',
    },
  );
});

test('ORD-5: an order without a price is signed as market, a price of 0 as 0', () => {
  const text = (price: string) =>
    `Venue order v1\naccount: ${session.account}\nseries: ${seriesId}\nside: sell\nqty: 1000000\nprice: ${price}\nnonce: 7`;
  const market = signOrder(session, { seriesId, side: 'sell', qty: 1 }, 7);
  const zero = signOrder(session, { seriesId, side: 'sell', qty: 1, price: 0 }, 7);
  assert.equal(signerOf(text('market'), market.signature), session.sessionKey);
  assert.equal(signerOf(text('0'), zero.signature), session.sessionKey);
  assert.equal('price' in market, false);
});

test('NUM-2: an amount that is not exact in micros is not signed', () => {
  assert.throws(() => signOrder(session, { seriesId, side: 'buy', qty: 1e-7 }, 1), /qty 1e-7/);
  assert.throws(
    () => signOrder(session, { seriesId, side: 'buy', qty: 1, price: Number.NaN }, 1),
    /price NaN/,
  );
});

test('a cancel is signed over its scope, a cancel of one order over its id', () => {
  const head = `\naccount: ${session.account}\n`;
  const all = signCancel(session, {}, 7);
  const some = signCancel(session, { symbols: ['eth', 'BTC'] }, 7);
  const one = signCancelOrder(session, { orderId: 42 }, 7);
  assert.equal(signerOf(`Venue cancel v1${head}symbols: all\nnonce: 7`, all.signature), session.sessionKey);
  assert.equal(
    signerOf(`Venue cancel v1${head}symbols: BTC,ETH\nnonce: 7`, some.signature),
    session.sessionKey,
  );
  assert.equal(
    signerOf(`Venue cancel order v1${head}order: 42\nnonce: 7`, one.signature),
    session.sessionKey,
  );
  assert.deepEqual([all.symbols, some.symbols, one.orderId], [undefined, ['eth', 'BTC'], 42]);
});

test('a switch of margin is signed over its direction', () => {
  for (const enabled of [true, false]) {
    const body = signMargin(session, { enabled }, 7);
    const text = `Venue margin v1\naccount: ${session.account}\nenabled: ${enabled}\nnonce: 7`;
    assert.equal(signerOf(text, body.signature), session.sessionKey);
    assert.deepEqual([body.enabled, body.sessionKey, body.nonce], [enabled, session.sessionKey, 7]);
  }
});
