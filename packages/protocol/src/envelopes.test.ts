import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Address } from './address.ts';
import {
  cancelEnvelope,
  cancelOrderEnvelope,
  challengeMessage,
  EnvelopeFieldError,
  hasLineBreak,
  marginEnvelope,
  orderEnvelope,
  sessionApprovalMessage,
  sessionRevokeMessage,
  withdrawEnvelope,
} from './envelopes.ts';
import type { Micros } from './units.ts';

const account = '0xabcdef0123456789abcdef0123456789abcdef01' as Address;
const nonce = 1_764_374_400_123;
const order = {
  account,
  seriesId: 'AAPL-1764374400-C-190',
  side: 'buy' as const,
  qtyMicros: 1_000_000 as Micros,
  priceMicros: 0 as Micros | 'market',
  nonce,
};
const session = { account, sessionKey: account, expiresAtMs: 1 };

describe('line breaks', () => {
  it('SIG-2 newline and carriage return count as line breaks, other separators do not', () => {
    assert.ok(hasLineBreak('a\nb') && hasLineBreak('\r') && hasLineBreak('a\r\n'));
    assert.ok(!hasLineBreak('') && !hasLineBreak('a\tb\v\f\u2028\u0085\\n'));
  });

  const texts: readonly (readonly [string, string, (value: string) => string])[] = [
    ['challenge', 'address', (v) => challengeMessage({ address: v as Address, nonce: 'ab' })],
    ['challenge', 'nonce', (v) => challengeMessage({ address: account, nonce: v })],
    ['approval', 'account', (v) => sessionApprovalMessage({ ...session, account: v as Address })],
    ['approval', 'sessionKey', (v) => sessionApprovalMessage({ ...session, sessionKey: v as Address })],
    ['revocation', 'account', (v) => sessionRevokeMessage({ ...session, account: v as Address })],
    ['revocation', 'sessionKey', (v) => sessionRevokeMessage({ ...session, sessionKey: v as Address })],
    ['order', 'account', (v) => orderEnvelope({ ...order, account: v as Address })],
    ['order', 'series', (v) => orderEnvelope({ ...order, seriesId: v })],
    ['order', 'side', (v) => orderEnvelope({ ...order, side: v as 'buy' })],
    ['cancel', 'account', (v) => cancelEnvelope({ account: v as Address, symbols: 'all', nonce })],
    ['cancel', 'symbols', (v) => cancelEnvelope({ account, symbols: ['BTC', v], nonce })],
    ['cancel order', 'account', (v) => cancelOrderEnvelope({ account: v as Address, orderId: 1, nonce })],
    ['margin', 'account', (v) => marginEnvelope({ account: v as Address, enabled: true, nonce })],
    [
      'withdraw',
      'account',
      (v) => withdrawEnvelope({ account: v as Address, amountMicros: 1 as Micros, nonce }),
    ],
  ];
  for (const [envelope, field, make] of texts) {
    it(`SIG-2 ${envelope}: no line break in ${field}`, () => {
      for (const value of ['a\nb', 'a\rb', '\n', 'buy\nqty: 1']) {
        assert.throws(() => make(value), { name: 'EnvelopeFieldError', field, fault: 'lineBreak' });
      }
    });
  }
});

describe('numbers', () => {
  const texts: readonly (readonly [string, (value: number) => string])[] = [
    ['expiresAt', (v) => sessionApprovalMessage({ ...session, expiresAtMs: v })],
    ['expiresAt', (v) => sessionRevokeMessage({ ...session, expiresAtMs: v })],
    ['qty', (v) => orderEnvelope({ ...order, qtyMicros: v as Micros })],
    ['price', (v) => orderEnvelope({ ...order, priceMicros: v as Micros })],
    ['nonce', (v) => orderEnvelope({ ...order, nonce: v })],
    ['nonce', (v) => cancelEnvelope({ account, symbols: 'all', nonce: v })],
    ['order', (v) => cancelOrderEnvelope({ account, orderId: v, nonce })],
    ['nonce', (v) => marginEnvelope({ account, enabled: true, nonce: v })],
    ['amount', (v) => withdrawEnvelope({ account, amountMicros: v as Micros, nonce })],
  ];
  for (const [field, make] of texts) {
    it(`FINE-8 without a safe integer as ${field} there is no envelope`, () => {
      for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
        assert.throws(() => make(value), { name: 'EnvelopeFieldError', field, fault: 'notInteger' });
      }
    });
  }

  it('ORD-5 a limit price of zero gives a different text than a market order', () => {
    assert.match(orderEnvelope(order), /\nprice: 0\n/);
    assert.match(orderEnvelope({ ...order, priceMicros: 'market' }), /\nprice: market\n/);
  });
});

describe('symbols of a cancel', () => {
  const make = (symbols: readonly string[] | 'all') => cancelEnvelope({ account, symbols, nonce });
  const refused: readonly (readonly [readonly string[], string])[] = [
    [[], 'empty'],
    [[''], 'empty'],
    [['BTC', ''], 'empty'],
    [['BTC,ETH'], 'comma'],
    [[','], 'comma'],
    [['all'], 'reservedSymbol'],
    [['ALL'], 'reservedSymbol'],
    [['BTC', 'aLl'], 'reservedSymbol'],
  ];
  for (const [symbols, fault] of refused) {
    it(`ORD-9 ${JSON.stringify(symbols)} has no envelope: ${fault}`, () => {
      assert.throws(() => make(symbols), { name: 'EnvelopeFieldError', field: 'symbols', fault });
    });
  }

  it('ORD-9 a list never reads as all, nor as a different list', () => {
    const list = fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,4}$/), { minLength: 1, maxLength: 4 });
    const key = (symbols: readonly string[]) => JSON.stringify(symbols.map((s) => s.toUpperCase()).sort());
    fc.assert(
      fc.property(list, list, (one, other) => {
        fc.pre(![...one, ...other].some((symbol) => symbol.toUpperCase() === 'ALL'));
        assert.notEqual(make(one), make('all'));
        assert.equal(make(one) === make(other), key(one) === key(other));
      }),
    );
  });
});

describe('envelope kinds', () => {
  it('no two kinds of envelope share a text', () => {
    const firstLines = [
      challengeMessage({ address: account, nonce: 'ab' }),
      sessionApprovalMessage(session),
      sessionRevokeMessage(session),
      orderEnvelope(order),
      cancelEnvelope({ account, symbols: 'all', nonce }),
      cancelOrderEnvelope({ account, orderId: 1, nonce }),
      marginEnvelope({ account, enabled: true, nonce }),
      withdrawEnvelope({ account, amountMicros: 1 as Micros, nonce }),
    ].map((text) => text.split('\n')[0]);
    assert.equal(new Set(firstLines).size, firstLines.length);
  });

  it('the error names the field and the fault', () => {
    const error = new EnvelopeFieldError('series', 'lineBreak');
    assert.equal(error.message, 'envelope field series: lineBreak');
  });
});
