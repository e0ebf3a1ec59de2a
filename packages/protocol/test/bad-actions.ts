/** Actions that no batch may carry: what may not stand in which field of which type (BAT-1, DET-1). */

export const SERIES = 'AAPL-1764374400-C-190';
export const LIMIT = { type: 'place', seriesId: SERIES, side: 'buy', qty: 2, price: 3.5 };
export const MARKET = { type: 'place', seriesId: SERIES, side: 'sell', qty: 0.000001 };
export const AMEND = { type: 'amend', orderId: 7, qty: 3 };
export const CANCEL = { type: 'cancel', clientId: 'a-1' };
export const ALL = { type: 'cancel-all' };
export const GUARD = { type: 'guard', ms: 30_000 };
export const PROTECT = { type: 'protect', set: 1, symbol: 'AAPL', windowMs: 1_000, qty: 5, frozenMs: 0 };
export const LEGS = [
  { seriesId: SERIES, side: 'buy', ratio: 1 },
  { seriesId: 'AAPL-1764374400-C-200', side: 'sell', ratio: 2 },
] as const;
export const COMBO = { type: 'combo', legs: LEGS, qty: 2 };

export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `S${i}`);
}

const NO_TEXT = [null, 1, true, {}, []];
/** Texts that would be two fields of a line, two lines, or another text to another reader. */
const SPLITTING = [
  ...[
    'a b',
    'a,b',
    'a\nb',
    'a\rb',
    'a\tb',
    'a\n',
    '\na',
    'a\r\nguard 0',
    'a\nnonce: 1',
    'a buy 1 1 gtc - taker -',
  ],
  ...[
    'a\u0000',
    '\u007f',
    'a\u0085b',
    'a\u00a0b',
    'a\u2028b',
    'a\u200bb',
    '\ufeffa',
    'é',
    'Ａ',
    '\ud800',
    '😀',
  ],
];
const names = [...NO_TEXT, '', 'x'.repeat(65), ...SPLITTING];
const clientIds = [...NO_TEXT, '', '-', '_a', '-a', 'a.b', '#1', 'a:b', 'a'.repeat(37), ...SPLITTING];
const amounts = [
  ...[null, '1', true, {}, [1]],
  ...[-1, -0.000001, 1.0000001, 1e-7, Number.MIN_VALUE, 1e16, 1e300, 9_007_199_255],
];
const whole = [null, '1', true, {}, [], -1, 0.5, 2 ** 53, 1e21];
const sides = [null, 1, true, {}, [], '', 'Buy', 'BUY', 'both', 'buy ', 'buy\n', 'long'];
const flags = [null, 0, 1, 'true', {}, []];
const lists = [
  ...[null, 'BTC', 1, true, {}, [], [1], [null], [[]], [''], ['a', 'a'], numbered(65)],
  ...['x'.repeat(65), ...SPLITTING].map((name) => ['BTC', name]),
];

/** Two legs, the second of them with something wrong. */
const withLeg = (fault: object): object[] => [LEGS[0], { ...LEGS[1], ...fault }];
const strikes = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ ...LEGS[0], seriesId: `AAPL-1764374400-C-${200 + i}` }));
const legs = [
  ...[null, 'AAPL', 1, true, {}, [], [LEGS[0]], strikes(5), new Array(2), [null, null], [[], []], ['a', 'b']],
  ...[0, 11, -1, 0.5, '1', null, true, 2 ** 53].map((ratio) => withLeg({ ratio })),
  ...sides.map((side) => withLeg({ side })),
  ...names.map((seriesId) => withLeg({ seriesId })),
  ...['AAPL-1764374400-C-190', 'BTC-1764374400-C-97500', 'aapl-1764374400-C-200', 'AAPLX'].map((seriesId) =>
    withLeg({ seriesId }),
  ),
  ...[withLeg({ price: 1 }), withLeg({ ratio: undefined }), [LEGS[0], { seriesId: SERIES, side: 'sell' }]],
];

export interface BadField {
  /** An action that is well-formed without the field, or with a good value in it. */
  readonly good: object;
  readonly field: string;
  readonly values: readonly unknown[];
}

export const BAD_FIELDS: readonly BadField[] = [
  bad(LIMIT, 'seriesId', names),
  bad(LIMIT, 'side', sides),
  bad(LIMIT, 'qty', amounts),
  bad(LIMIT, 'price', amounts),
  bad(LIMIT, 'tif', [...NO_TEXT, '', 'day', 'GTC', 'gtd:1', 'gtc ', 'gtc\n']),
  bad(LIMIT, 'expiresAt', [...whole, 1_764_374_400_123]),
  bad({ ...LIMIT, tif: 'gtd' }, 'expiresAt', whole),
  bad(LIMIT, 'postOnly', flags),
  bad(LIMIT, 'reduceOnly', flags),
  bad(LIMIT, 'stp', [...NO_TEXT, '', 'Taker', 'cancel', 'taker\n']),
  bad(LIMIT, 'clientId', clientIds),
  bad(LIMIT, 'orderId', [1]),
  bad(LIMIT, 'flag', ['post-only']),
  bad(LIMIT, 'toString', [1]),
  bad(COMBO, 'legs', legs),
  bad(COMBO, 'qty', amounts),
  bad(COMBO, 'net', [null, '1', true, {}, [1], 1.0000001, -1e-7, 1e16, -1e16, 9_007_199_255, -9_007_199_255]),
  bad(COMBO, 'tif', [...NO_TEXT, '', 'gtc', 'gtd', 'IOC', 'ioc ', 'fok\n']),
  bad(COMBO, 'clientId', clientIds),
  bad(COMBO, 'seriesId', [SERIES]),
  bad(COMBO, 'price', [1]),
  bad(COMBO, 'stp', ['taker']),
  bad(COMBO, 'reduceOnly', [false]),
  bad(AMEND, 'orderId', [...whole, 0]),
  bad({ type: 'amend', price: 1 }, 'clientId', clientIds),
  bad(AMEND, 'qty', amounts),
  bad(AMEND, 'price', amounts),
  bad(AMEND, 'filledAtMost', amounts),
  bad(AMEND, 'side', ['buy']),
  bad(AMEND, 'stp', ['none']),
  bad({ type: 'cancel' }, 'orderId', [...whole, 0]),
  bad({ type: 'cancel' }, 'clientId', clientIds),
  bad(CANCEL, 'symbol', ['BTC']),
  bad(ALL, 'symbols', [...lists, ['btc', 'BTC']]),
  bad(ALL, 'seriesIds', lists),
  bad(ALL, 'side', sides),
  bad(ALL, 'symbol', ['BTC']),
  bad(GUARD, 'ms', [...whole, 1, 4_999, 600_001]),
  bad(GUARD, 'side', ['buy']),
  bad(PROTECT, 'set', [...whole, 0, 17]),
  bad(PROTECT, 'symbol', names),
  bad(PROTECT, 'windowMs', [...whole, 0, 99, 600_001]),
  bad(PROTECT, 'qty', amounts),
  bad(PROTECT, 'delta', amounts),
  bad(PROTECT, 'frozenMs', [...whole, 86_400_001]),
  bad(PROTECT, 'seriesId', [SERIES]),
  bad({ type: 'unfreeze' }, 'set', [...whole, 0, 17]),
  bad({ type: 'unfreeze', set: 1 }, 'symbol', ['AAPL']),
  bad({ type: 'margin-mode' }, 'mode', [...NO_TEXT, '', 'Per-Leg', 'per leg', 'defined-risk\n', 'portfolio']),
  bad({ type: 'margin-mode', mode: 'per-leg' }, 'set', [1]),
  // One that the type does not take.
  bad({ ...LIMIT, tif: 'ioc' }, 'postOnly', [true]),
  bad({ ...LIMIT, tif: 'fok' }, 'postOnly', [true]),
  bad(MARKET, 'postOnly', [true]),
  bad(LIMIT, 'reduceOnly', [true]),
  bad({ ...LIMIT, tif: 'gtd', expiresAt: 1 }, 'reduceOnly', [true]),
  bad({ ...LIMIT, postOnly: true }, 'reduceOnly', [true]),
  bad({ ...LIMIT, tif: 'ioc', reduceOnly: true }, 'expiresAt', [1]),
  bad(MARKET, 'tif', ['gtc', 'gtd']),
  // Both of two alternatives.
  bad(AMEND, 'clientId', ['a']),
  bad({ type: 'cancel', orderId: 1 }, 'clientId', ['a']),
  bad({ ...ALL, symbols: ['BTC'] }, 'seriesIds', [[SERIES]]),
];

function bad(good: object, field: string, values: readonly unknown[]): BadField {
  return { good, field, values };
}

/** Actions that lack a field, and its name. */
export const LACKING: readonly (readonly [object, string])[] = [
  [{}, 'type'],
  [{ type: 'place', side: 'buy', qty: 2 }, 'seriesId'],
  [{ type: 'place', seriesId: SERIES, qty: 2 }, 'side'],
  [{ type: 'place', seriesId: SERIES, side: 'buy' }, 'qty'],
  [{ ...LIMIT, tif: 'gtd' }, 'expiresAt'],
  [{ type: 'combo', qty: 2 }, 'legs'],
  [{ type: 'combo', legs: LEGS }, 'qty'],
  [{ type: 'amend', qty: 1 }, 'orderId'],
  [{ type: 'amend', orderId: 1 }, 'qty'],
  [{ type: 'amend', orderId: 1, filledAtMost: 1 }, 'qty'],
  [{ type: 'cancel' }, 'orderId'],
  [{ type: 'guard' }, 'ms'],
  [{ ...PROTECT, set: undefined }, 'set'],
  [{ ...PROTECT, symbol: undefined }, 'symbol'],
  [{ ...PROTECT, windowMs: undefined }, 'windowMs'],
  [{ ...PROTECT, qty: undefined }, 'qty'],
  [{ ...PROTECT, frozenMs: undefined }, 'frozenMs'],
  [{ type: 'unfreeze' }, 'set'],
  [{ type: 'margin-mode' }, 'mode'],
];

/** Values of `type` that name no action; some will in later versions. */
export const BAD_TYPES: readonly unknown[] = [
  ...['', 'Place', 'place ', 'order', 'Combo', 'Protect', 'freeze', 'margin', 'constructor', 'toString'],
  ...[null, 1, true, {}, ['place']],
];

export const NO_ACTIONS: readonly unknown[] = [null, 'cancel-all', 1, true, [], [ALL]];

/** Names of properties that an answer does not repeat. */
export const STRANGE_NAMES: readonly string[] = ['a b', 'x'.repeat(33), '<b>', '', '1', 'é', 'a\nb'];
