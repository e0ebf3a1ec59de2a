import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressOf } from '../../test/venue.ts';
import { decodeCommand, encodeCommand } from './command-codec.ts';

const ACCOUNT = addressOf('alice');
const AUTHORIZATION = { sessionKey: addressOf('phone'), nonce: 1, signature: '0xab' };
const ORDER = {
  account: ACCOUNT,
  authorization: AUTHORIZATION,
  seriesId: 'AAPL-1767312000-C-200',
  side: 'buy',
  qtyMicros: 1,
  priceMicros: 2,
};
const HASH = `0x${'ab'.repeat(32)}`;
const DEPOSIT = {
  address: ACCOUNT,
  amountMicros: 5,
  txHash: HASH,
  logIndex: 0,
  blockNumber: 1,
  blockHash: HASH,
};

const encoder = new TextEncoder();

function decode(kind: string, body: unknown) {
  return decodeCommand(kind, encoder.encode(JSON.stringify(body)));
}

/** Each of these once meant something different to the code that rendered the signed text than to the engine. */
const REFUSED: readonly (readonly [string, object, RegExp])[] = [
  ['order', { ...ORDER, side: ['buy'] }, /its side is \["buy"\]/],
  ['order', { ...ORDER, seriesId: [ORDER.seriesId] }, /its seriesId is/],
  ['order', { ...ORDER, priceMicros: 'market' }, /its priceMicros is "market"/],
  ['order', { ...ORDER, qtyMicros: '1' }, /its qtyMicros is "1"/],
  ['order', { ...ORDER, account: ACCOUNT.toUpperCase() }, /its account is/],
  [
    'order',
    { ...ORDER, authorization: { ...AUTHORIZATION, sessionKey: AUTHORIZATION.sessionKey.toUpperCase() } },
    /its authorization is/,
  ],
  ['order', { ...ORDER, authorization: { ...AUTHORIZATION, nonce: '1' } }, /its authorization is/],
  ['order', { ...ORDER, kind: 'margin' }, /it has kind/],
  ['order', { ...ORDER, extra: 1 }, /it has extra/],
  ['order', { ...ORDER, priceMicros: undefined }, /its priceMicros is undefined/],
  ['order', [ORDER], /it is no object/],
  ['margin', { account: ACCOUNT, enabled: 'true' }, /its enabled is "true"/],
  ['cancel', { account: ACCOUNT, symbols: 'all' }, /its symbols is "all"/],
  ['cancel', { account: ACCOUNT, symbols: ['btc'] }, /its symbols is \["btc"\]/],
  ['cancel', { account: ACCOUNT }, /its symbols is undefined/],
  ['maintain', { ...DEPOSIT, kind: 'deposit' }, /its expiries is undefined/],
  ['settle', { target: {}, priceMicros: 1, secrets: [true, true] }, /its target is/],
  ['settle', { target: null, priceMicros: 1, secrets: [true] }, /its secrets is/],
  ['release', { address: `0x${'1'.repeat(40)}`, by: 'Ann' }, /its by is "Ann"/],
  ['settle-propose', { target: { symbol: 'BTC' }, priceMicros: 1, secrets: [true, false] }, /its target is/],
  ['settle-confirm', { target: null, priceMicros: 1, secrets: [true, false] }, /its id is undefined/],
  ['settle-confirm', { id: '1', target: null, priceMicros: 1, secrets: [true, false] }, /its id is/],
];

describe('the bytes of an entry', () => {
  it('decode to the command they encode', () => {
    const order = { kind: 'order', ...ORDER } as const;
    assert.deepEqual(decodeCommand('order', encodeCommand(order as never)), order);
    assert.deepEqual(decode('deposit', DEPOSIT), { ...DEPOSIT, kind: 'deposit' });
    const unsigned = { account: ACCOUNT, symbols: ['BTC'] };
    assert.deepEqual(decode('cancel', unsigned), { ...unsigned, kind: 'cancel' });
  });

  it('are not written for a command that could not be decoded: such an entry would stop every start', () => {
    const made = (fields: object) => () => encodeCommand({ kind: 'order', ...ORDER, ...fields } as never);
    assert.throws(made({ qtyMicros: Number.NaN }), /cannot be written: its qtyMicros is null/);
    assert.throws(made({ side: ['buy'] }), /cannot be written: its side/);
    assert.doesNotThrow(made({ authorization: undefined }));
    const odd = { kind: 'cancel', account: ACCOUNT, symbols: ['FOO BAR', ' ', 'É', '\0', ''] } as const;
    assert.deepEqual(decodeCommand('cancel', encodeCommand(odd)), odd);
  });

  for (const [kind, body, message] of REFUSED) {
    it(`are refused: ${kind} ${JSON.stringify(body).slice(0, 200)}`, () => {
      assert.throws(() => decode(kind, body), message);
    });
  }
});
