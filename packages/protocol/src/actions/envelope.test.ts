import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ALL, AMEND, CANCEL, COMBO, GUARD, LEGS, LIMIT, PROTECT } from '../../test/bad-actions.ts';
import type { Address } from '../address.ts';
import type { CancelScope } from './cancel-all.ts';
import { batchEnvelope } from './envelope.ts';
import { ACTIONS, type BatchAction } from './index.ts';
import { readActions } from './read.ts';
import type { OrderRef } from './ref.ts';

const ENVELOPE = {
  venue: 'a'.repeat(32),
  account: `0x${'b'.repeat(40)}` as Address,
  nonce: 1_764_374_400_000,
};
/** Values of a field, chosen to look like other fields. */
const NAMES = [
  '-',
  '#7',
  '7',
  'market',
  'gtc',
  'all',
  'both',
  'symbols:A',
  'gtd:1',
  'guard',
  'A-1-C-1',
  'actions:',
];
const CLIENT_IDS = ['7', 'market', 'all', 'A-1-C-1', 'place', '0', 'guard'];
/** Ids that look like other parts of a combo's line. */
const COMBO_LEGS = [
  ['A-buy:1:A', 'A-1:B', 'A-sell:10:'],
  [':-1', ':'],
  ['A-1-C-1', 'A-1-C-2', 'A-1-C-3', 'A'],
].map((ids) => ids.map((seriesId, i) => ({ seriesId, side: i === 1 ? 'sell' : 'buy', ratio: 10 - i })));
const AMOUNTS = [0, 0.000001, 1, 7, 900.5];

it('BAT-1: a text can be read in one way only, as the actions that it was made of', () => {
  const random = numbers(20);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const some = <T>(values: readonly T[]) => [...new Set([pick(values), pick(values), pick(values)])];
  const ref = () => (random() < 0.5 ? { orderId: pick([1, 7, 900]) } : { clientId: pick(CLIENT_IDS) });
  const makers: readonly (() => object)[] = [
    () => ({
      ...LIMIT,
      seriesId: pick(NAMES),
      qty: pick(AMOUNTS),
      price: pick(AMOUNTS),
      stp: pick(['none', 'both']),
    }),
    () => ({
      ...LIMIT,
      tif: 'gtd',
      expiresAt: pick([0, 7]),
      postOnly: pick([true, false]),
      clientId: pick(CLIENT_IDS),
    }),
    () => ({ type: 'place', seriesId: pick(NAMES), side: 'sell', qty: 1, tif: 'fok', reduceOnly: true }),
    () => ({
      type: 'combo',
      legs: pick(COMBO_LEGS),
      qty: pick(AMOUNTS),
      ...(random() < 0.7 && { net: pick([-7, -0.000001, 0, ...AMOUNTS]) }),
      tif: pick(['ioc', 'fok']),
      ...(random() < 0.5 && { clientId: pick(CLIENT_IDS) }),
    }),
    () => ({
      type: 'amend',
      ...ref(),
      qty: pick(AMOUNTS),
      ...(random() < 0.5 && { filledAtMost: pick(AMOUNTS) }),
    }),
    () => ({ type: 'amend', ...ref(), price: pick(AMOUNTS) }),
    () => ({ type: 'cancel', ...ref() }),
    () => ({
      type: 'cancel-all',
      [pick(['symbols', 'seriesIds'])]: some(NAMES.map((name) => name.toUpperCase())),
    }),
    () => ({ type: 'cancel-all', ...(random() < 0.5 && { side: pick(['buy', 'sell']) }) }),
    () => ({ type: 'guard', ms: pick([0, 5_000, 600_000]) }),
  ];
  for (let round = 0; round < 2_000; round++) {
    const posted = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(makers)());
    const actions = readActions(posted);
    assert.ok(!('error' in actions), JSON.stringify(posted));
    assert.deepEqual(actionsOf(batchEnvelope({ ...ENVELOPE, actions })), actions);
  }
});

it('BAT-1: every property of an action changes the text that is signed', () => {
  const place = { ...LIMIT, tif: 'gtd', expiresAt: 7, postOnly: true, stp: 'both', clientId: 'a' };
  const protect = { ...PROTECT, delta: 1 };
  const mode = { type: 'margin-mode', mode: 'per-leg' };
  const cases: readonly (readonly [object, object])[] = [
    [place, { seriesId: 'B-1', side: 'sell', qty: 9, price: 9, expiresAt: 9, postOnly: false }],
    [place, { stp: 'none', clientId: 'b' }],
    [
      { ...COMBO, net: 1 },
      { legs: LEGS.toReversed(), qty: 9, net: 2, tif: 'fok', clientId: 'b' },
    ],
    [
      { ...AMEND, price: 1, filledAtMost: 1 },
      { orderId: 9, qty: 9, price: 9, filledAtMost: 9 },
    ],
    [CANCEL, { clientId: 'b' }],
    [ALL, { symbols: ['A'], seriesIds: ['A-1'], side: 'buy' }],
    [protect, { set: 9, symbol: 'B', windowMs: 900, qty: 9, delta: 9, frozenMs: 9 }],
    [{ type: 'unfreeze', set: 1 }, { set: 9 }],
    [GUARD, { ms: 0 }],
    [mode, { mode: 'defined-risk' }],
  ];
  const signed = (posted: object) => {
    const actions = readActions([posted]);
    assert.ok(!('error' in actions), JSON.stringify(posted));
    return batchEnvelope({ ...ENVELOPE, actions });
  };
  for (const [action, changes] of cases) {
    for (const [name, value] of Object.entries(changes)) {
      assert.notEqual(signed({ ...action, [name]: value }), signed(action), name);
    }
  }
  const kinds = new Set(cases.map(([action]) => (action as { readonly type: string }).type));
  assert.deepEqual([...kinds].sort(), ACTIONS.map(({ type }) => type).sort());
});

/** Reads a text by its spaces, commas and line breaks alone. */
function actionsOf(text: string): BatchAction[] {
  const [, , , count, ...lines] = text.split('\n');
  assert.equal(count, `actions: ${lines.length - 1}`);
  return lines.slice(0, -1).map(actionOf);
}

function actionOf(line: string): BatchAction {
  const [type, ...fields] = line.split(' ');
  switch (type) {
    case 'place':
      return placeOf(fields);
    case 'combo':
      return comboOf(fields);
    case 'amend': {
      const [qtyMicros, priceMicros, filledAtMostMicros] = fields.slice(1).map(amountOf);
      return {
        type,
        ref: refOf(fields[0]!),
        ...(qtyMicros !== undefined && { qtyMicros }),
        ...(priceMicros !== undefined && { priceMicros }),
        ...(filledAtMostMicros !== undefined && { filledAtMostMicros }),
      };
    }
    case 'cancel':
      return { type, ref: refOf(fields[0]!) };
    case 'cancel-all': {
      const side = fields[1] as 'buy' | 'sell' | 'both';
      return { type, scope: scopeOf(fields[0]!), ...(side !== 'both' && { side }) };
    }
    default:
      assert.equal(type, 'guard');
      return { type: 'guard', ms: Number(fields[0]) };
  }
}

function placeOf([seriesId, side, qty, price, tif, flag, stp, clientId]: readonly string[]): BatchAction {
  const [inForce, expiresAt] = tif!.split(':');
  return {
    type: 'place',
    seriesId: seriesId!,
    side: side as 'buy' | 'sell',
    qtyMicros: Number(qty),
    priceMicros: price === 'market' ? null : Number(price),
    tif: inForce as 'gtc',
    ...(expiresAt !== undefined && { expiresAt: Number(expiresAt) }),
    ...(flag !== '-' && { flag: flag as 'post-only' }),
    stp: stp as 'none',
    ...(clientId !== '-' && { clientId: clientId! }),
  };
}

function comboOf([qty, net, tif, clientId, legs]: readonly string[]): BatchAction {
  return {
    type: 'combo',
    legs: legs!.split(',').map((leg) => {
      const [side, ratio, ...id] = leg.split(':');
      return { seriesId: id.join(':'), side: side as 'buy', ratio: Number(ratio) };
    }),
    qtyMicros: Number(qty),
    netMicros: net === 'market' ? null : Number(net),
    tif: tif as 'ioc',
    ...(clientId !== '-' && { clientId: clientId! }),
  };
}

function refOf(text: string): OrderRef {
  return text.startsWith('#') ? { orderId: Number(text.slice(1)) } : { clientId: text };
}

function scopeOf(text: string): CancelScope {
  if (text === 'all') return 'all';
  const values = text.slice(text.indexOf(':') + 1).split(',');
  return text.startsWith('symbols:') ? { symbols: values } : { series: values };
}

function amountOf(text: string): number | undefined {
  return text === '-' ? undefined : Number(text);
}

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
