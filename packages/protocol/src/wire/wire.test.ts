import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import Value from 'typebox/value';
import * as wire from './index.ts';

const address = '0xabcdef0123456789abcdef0123456789abcdef01';
const seriesId = 'AAPL-1764374400-C-190';
const hash = `0x${'ab'.repeat(32)}`;
const ts = 1_764_374_400_123;

const position: wire.Position = {
  seriesId,
  symbol: 'AAPL',
  optType: 'call',
  strike: 190,
  expiryTs: 1_764_374_400,
  qty: -1.5,
  avgPrice: 3.5,
  mark: 3.25,
  realized: 0,
  unrealized: 0.375,
};
const openOrder: wire.OpenOrder = {
  id: 7,
  seriesId,
  symbol: 'AAPL',
  side: 'sell',
  price: 3.5,
  qty: 2,
  remaining: 0.5,
  ts,
};
const orderRecord: wire.OrderRecord = {
  id: 7,
  seriesId,
  symbol: 'AAPL',
  side: 'sell',
  price: null,
  qty: 2,
  remaining: 0,
  filledQty: 0.5,
  avgPrice: 3.5,
  tif: 'ioc',
  flag: null,
  status: 'cancelled',
  cause: 'ioc',
  ts,
  closedAt: ts,
};
const account: wire.Account = {
  address,
  cash: 100_000,
  equity: 99_995.125,
  buyingPower: -3,
  locked: 60,
  realizedPnl: 0,
  unrealizedPnl: 0.375,
  maintenanceMargin: 50.5,
  marginCall: false,
  marginEnabled: true,
  openOrderCount: 1,
  openOrders: [openOrder],
  positions: [position],
};
const instrument: wire.Instrument = { symbol: 'AAPL', spot: 190.12, feedFresh: true };
const print: wire.TapePrint = { seriesId, price: 3.5, qty: 1, side: 'buy', ts };
const leg: wire.ChainLeg = {
  seriesId,
  sid: 3,
  bid: { price: 3.4, qty: 2 },
  ask: null,
  mid: 3.4,
  iv: 0,
  delta: 0,
  openInterest: 1.5,
  volume: 4,
};
const payout: wire.Payout = { id: 1, amountUsd: 25.5, state: 'requested', address, requestedAt: ts };
const settlement: wire.Settlement = {
  symbol: 'AAPL',
  expiryTs: 1_764_374_400,
  price: 190.5,
  decidedAt: ts,
  by: 'oracle',
  sources: [{ source: 'sim-a', average: 190.5, fresh: true, last: 190.25, lastTs: ts }],
  dispersionBps: 2.5,
};
const refusedExpiry: wire.RefusedExpiry = {
  symbol: 'AAPL',
  expiryTs: 1_764_374_400,
  reason: 'too few fresh sources',
  refusedAt: ts,
  anchor: null,
  sources: [{ source: 'sim-a', average: null, fresh: false, last: 190.25, lastTs: ts }],
  dispersionBps: null,
};
const operatorPayout = {
  ...payout,
  ...{ payoutId: 1, ofHouse: false, adopted: false, waits: null },
  withdrawal: { sessionKey: address, nonce: 1, signature: '0x00' },
  approval: { expiresAt: 2, signature: '0x00' },
  revocation: { expiresAt: 2, signature: '0x00', revokedAt: 1 },
  approvals: [{ approver: address, signature: '0x00' }],
};
const auditEntry: wire.AuditEntry = {
  n: 1,
  ts,
  seq: 7,
  seriesId: null,
  symbol: null,
  expiryTs: null,
  price: null,
  anchor: null,
  deviationBps: null,
  priceMicros: null,
  anchorMicros: null,
  deviationMicroBps: null,
  boundBps: 100,
  gates: [
    { gate: 'first secret', passed: false },
    { gate: 'anchor', passed: null },
  ],
  accepted: false,
  reason: 'wrong credential',
  previousHash: '0'.repeat(64),
  hash: 'a'.repeat(64),
};
const signed = { sessionKey: address, nonce: ts, signature: '0x00' };

/** One valid example of each wire object, without properties that are not in its schema. */
const EXAMPLES: readonly (readonly [keyof typeof wire, unknown])[] = [
  ['PositionSchema', position],
  ['OpenOrderSchema', openOrder],
  ['AccountSchema', account],
  [
    'FillListSchema',
    {
      fills: [
        {
          id: 1,
          orderId: 7,
          seriesId,
          symbol: 'AAPL',
          side: 'buy',
          price: 0,
          qty: 1,
          fee: 0,
          realized: -3.5,
          taker: false,
          ts,
          kind: 'settlement',
        },
      ],
    },
  ],
  ['FillsQuerySchema', {}],
  ['OrdersQuerySchema', {}],
  ['OrderRecordSchema', orderRecord],
  ['OrderListSchema', { orders: [orderRecord] }],
  ['StatementQuerySchema', {}],
  [
    'StatementSchema',
    {
      from: 0,
      to: ts,
      completeFrom: 0,
      openingBalance: 0,
      rows: [{ id: '7-0', ts, kind: 'withdrawal', change: -5, balance: 95 }],
      closingBalance: 95,
    },
  ],
  ['HealthzSchema', { ok: true, quoteSessionRegistration: 'idempotent-attempt-v1', fundingMode: 'paper' }],
  ['MetaSchema', { instruments: [instrument], pendingReview: [seriesId] }],
  [
    'SeriesListSchema',
    {
      series: [
        {
          seriesId,
          sid: 3,
          symbol: 'AAPL',
          expiryTs: 1_764_374_400,
          expiryCutoffMs: 1_764_374_400_000,
          right: 'C',
          strike: 190,
        },
      ],
    },
  ],
  [
    'ChainSchema',
    {
      symbol: 'AAPL',
      expiryTs: 1_764_374_400,
      spot: 190.12,
      sessionOpen: true,
      rows: [{ strike: 190, call: leg, put: null }],
    },
  ],
  ['BookSchema', { seriesId, bids: [{ price: 3.4, qty: 2 }], asks: [] }],
  ['TradesQuerySchema', {}],
  ['TradeSchema', { id: 2, ...print }],
  ['TradeListSchema', { trades: [{ id: 2, ...print }] }],
  ['TickersQuerySchema', { symbol: 'BTC' }],
  [
    'TickerSchema',
    {
      ...{ seriesId: 'BTC-1795827600-C-92000', bid: 1, ask: null, mark: 1, last: null, volume24h: 0 },
      ...{ openInterest: 0, iv: null, delta: null, gamma: null, vega: null, theta: null },
    },
  ],
  ['TickerListSchema', { symbol: 'BTC', spot: 1, tickers: [] }],
  ['IvQuerySchema', { symbol: 'BTC', expiryTs: '1795827600' }],
  ['IvRowSchema', { t: ts, iv: 0.5 }],
  ['IvListSchema', { rows: [{ t: ts, iv: 0.5 }] }],
  ['VolatilityQuerySchema', { symbol: 'BTC' }],
  ['VolatilityRowSchema', { t: ts, index: 50 }],
  ['VolatilitySchema', { symbol: 'BTC', index: null, rows: [] }],
  ['EquityQuerySchema', {}],
  ['EquityRowSchema', { t: ts, equity: 1 }],
  ['EquityListSchema', { rows: [] }],
  ['TickerMembersSchema', {}],
  ['CandlesQuerySchema', { of: 'spot:AAPL', interval: '1h' }],
  ['CandleSchema', { t: ts, o: 1, h: 2, l: 0.5, c: 1 }],
  ['CandleListSchema', { candles: [{ t: ts, o: 1, h: 2, l: 0.5, c: 1, v: 3 }] }],
  ['TapeSchema', { symbol: 'AAPL', fills: [print] }],
  ['SettlementListSchema', { settlements: [settlement] }],
  ['RefusedExpirySchema', refusedExpiry],
  ['SymbolQuerySchema', { symbol: 'aapl' }],
  ['ChainQuerySchema', { symbol: 'AAPL', expiryTs: '1764374400' }],
  ['BookQuerySchema', { seriesId }],
  ['OrderRequestSchema', { seriesId, side: 'buy', qty: 1 }],
  ['OrderAcceptedSchema', { status: 'rested', orderId: 7, fills: [], restedQty: 2, account }],
  ['OrderRejectedSchema', { status: 'rejected', reason: 'bad qty', fills: [], orderId: 0, account }],
  ['CancelAnswerSchema', { ok: false, pulled: 0, account }],
  ['CancelOrderRequestSchema', { orderId: 7 }],
  ['CancelOrderAnswerSchema', { ok: true, orderId: 7, account }],
  ['MarginRequestSchema', { enabled: true }],
  ['MarginAnswerSchema', { ok: true, marginEnabled: true, account }],
  ['ErrorBodySchema', { error: 'not found' }],
  ['AddressQuerySchema', { address }],
  ['ChallengeAnswerSchema', { message: 'Venue: …' }],
  ['VerifyRequestSchema', { address, signature: '0x00' }],
  ['VerifyAnswerSchema', { token: 't', account }],
  ['SessionRequestSchema', { address, sessionKey: address, expiresAt: ts, signature: '0x00' }],
  ['SessionAnswerSchema', { ok: true, sessionKey: address, expiresAt: ts, token: 't', account }],
  ['SessionListSchema', { sessions: [{ sessionKey: address, expiresAt: ts, approvedAt: ts }] }],
  ['SessionRevokeRequestSchema', { address, sessionKey: address, signature: '0x00' }],
  ['SessionRevokeAnswerSchema', { ok: true, sessionKey: address, revokedAt: ts }],
  ['AccountFrameSchema', { type: 'account', account }],
  ['SpotsFrameSchema', { type: 'spots', spots: [instrument] }],
  ['TapeFrameSchema', { type: 'tape', symbol: 'AAPL', print }],
  ['FillFrameSchema', { type: 'fill', fill: { seriesId, side: 'buy', price: 3.5, qty: 1, ts, taker: true } }],
  [
    'OrdersFrameSchema',
    { type: 'orders', orders: [{ id: 7, seriesId, side: 'sell', price: 3.5, remaining: 1 }] },
  ],
  ['VerboseQuoteSchema', { seriesId }],
  ['QuotesAnswerSchema', { applied: 1, kept: 0, errors: 1, rowErrors: [{ i: 0, error: 'bad level' }] }],
  ['MakerSessionRequestSchema', { attemptId: 'a1' }],
  ['MakerSessionAnswerSchema', { session: 1, attemptId: 'a1' }],
  ['MakerPullAnswerSchema', { pulled: 12 }],
  ['FeedPrintSchema', { symbol: 'AAPL', source: 'sim-a', price: 190.12 }],
  ['FeedAnswerSchema', { ok: true, accepted: 2, rejected: 0, rowErrors: [] }],
  ['WithdrawRequestSchema', { amountUsd: 25.5 }],
  ['WithdrawAnswerSchema', { ...payout, account }],
  ['WithdrawalListSchema', { withdrawals: [payout] }],
  [
    'ReservesSchema',
    {
      cashTotalUsd: 1,
      pendingWithdrawalsUsd: 0,
      committedWithdrawalsUsd: 0,
      uncollectibleUsd: 0,
      negativeAccounts: 0,
      nonExemptAccounts: 1,
      ...{ chainId: 1, vault: address, paidBeforeUsd: 0, depositedBeforeUsd: 0, depositedUsd: 1, epoch: 0 },
      ...{ payoutsHalted: 'no gas', smallestPayoutUsd: 1, openLiabilityUsd: 0, houseCashUsd: 0 },
    },
  ],
  [
    'DepositRequestSchema',
    { address, amount: 25_500_000, txHash: hash, logIndex: 0, blockNumber: 12, blockHash: hash },
  ],
  ['DepositAnswerSchema', { status: 'held', address, amount: 25_500_000, txHash: hash, logIndex: 0 }],
  ['HeldListSchema', { held: [{ address, amountUsd: 25.5, deposits: 1 }] }],
  ['HeldReleaseRequestSchema', { address }],
  ['HeldReleaseAnswerSchema', { ok: true, released: 25.5, account }],
  ['PayoutListSchema', { payouts: [operatorPayout] }],
  ['PayoutCommitRequestSchema', { ids: [1], txHash: hash }],
  ['PayoutCommitAnswerSchema', { ok: true, payouts: [payout] }],
  [
    'HandSettleAnswerSchema',
    { ok: true, symbol: 'AAPL', expiryTs: 1_764_374_400, price: 190.5, settled: [seriesId] },
  ],
  [
    'SettleProposeAnswerSchema',
    {
      ...{ ok: true, id: 812, expiresAt: 1_764_375_300_000, symbol: 'AAPL', expiryTs: 1_764_374_400 },
      ...{ price: 190.5, anchor: 190, deviationBps: 26.3, boundBps: 100, settles: [seriesId] },
    },
  ],
  ['AuditListSchema', { entries: [auditEntry] }],
  [
    'ExposureReportSchema',
    {
      ...{ ts: 1_764_375_300_000, calledCount: 0, called: [], heldCount: 1, stops: [], proposals: [] },
      largest: [
        {
          ...{ address, equity: 100, requirement: 10, maintenance: 5, exposure: 190.5 },
          ...{ calledSince: null, positions: 1, quoteSets: 0 },
        },
      ],
      expiries: [
        {
          ...{ symbol: 'AAPL', expiryTs: 1_764_374_400, isPendingReview: false, openInterest: 1 },
          ...{ grossNotional: 190.5, netNotional: -190.5, makerShare: 1, houseShare: 0 },
          ...{ worst: { amount: -191, at: 381 }, uncoveredCalls: 1 },
        },
      ],
    },
  ],
];

const schemas: ReadonlyMap<string, TSchema> = new Map(Object.entries(wire));

function schemaOf(name: keyof typeof wire): TSchema {
  return schemas.get(name)!;
}

describe('wire objects', () => {
  for (const [name, example] of EXAMPLES) {
    it(`${name} accepts its example and extra properties, and misses every field that is left out`, () => {
      const schema = schemaOf(name);
      const fields = example as Record<string, unknown>;
      assert.ok(Value.Check(schema, fields), JSON.stringify([...Value.Errors(schema, fields)]));
      assert.ok(Value.Check(schema, { ...fields, unheardOf: { deep: [1] } }));
      for (const field of Object.keys(fields)) {
        const { [field]: _, ...rest } = fields;
        assert.equal(Value.Check(schema, rest), false, `without ${field}`);
      }
    });
  }
});

interface Case {
  readonly schema: keyof typeof wire;
  readonly base: Record<string, unknown>;
  readonly good?: readonly Record<string, unknown>[];
  readonly bad?: readonly Record<string, unknown>[];
}

const order = { seriesId, side: 'buy', qty: 1 };
const CASES: ReadonlyMap<string, Case> = new Map([
  [
    'NUM-2 ORD-5 an order: a number that cannot trade is well-formed, anything but a number is not',
    {
      schema: 'OrderRequestSchema',
      base: order,
      good: [
        { seriesId: 'X'.repeat(64) },
        { price: 0 },
        { price: -1 },
        { qty: 0 },
        { qty: -0.0000001 },
        { price: 3.5, ...signed },
      ],
      bad: [
        { price: null },
        { price: '' },
        { price: '3.5' },
        { qty: '1' },
        { qty: null },
        { qty: true },
        { qty: Number.NaN },
        { qty: Number.POSITIVE_INFINITY },
        { side: 'BUY' },
        { seriesId: 7 },
        { seriesId: 'X'.repeat(65) },
      ],
    },
  ],
  [
    'SIG-5 a nonce is a JSON integer',
    {
      schema: 'OrderRequestSchema',
      base: { ...order, ...signed },
      bad: [{ nonce: String(ts) }, { nonce: 1.5 }, { nonce: null }],
    },
  ],
  [
    'ORD-9 a cancel names one symbol to a thousand or leaves the list out',
    {
      schema: 'CancelRequestSchema',
      base: {},
      good: [
        {},
        { symbol: 'btc' },
        { symbols: ['btc', 'ETH'] },
        { symbols: Array(1_000).fill('X'.repeat(64)) },
      ],
      bad: [
        { symbols: Array(1_001).fill('BTC') },
        { symbols: ['X'.repeat(65)] },
        { symbols: [] },
        { symbols: 'all' },
        { symbols: [1] },
        { symbols: null },
        { symbol: null },
      ],
    },
  ],
  [
    'ACC-3 margin takes a boolean',
    { schema: 'MarginRequestSchema', base: {}, bad: [{ enabled: 'true' }, { enabled: 1 }, {}] },
  ],
  [
    'a rejection has no fills and order id 0',
    {
      schema: 'OrderRejectedSchema',
      base: { status: 'rejected', reason: 'bad qty', fills: [], orderId: 0, account },
      bad: [{ orderId: 1 }, { fills: [{ price: 1, qty: 1 }] }, { status: 'filled' }],
    },
  ],
  [
    'an address is 20 bytes of hex in any case',
    {
      schema: 'VerifyRequestSchema',
      base: { address, signature: '0x' },
      good: [{ address: `0x${address.slice(2).toUpperCase()}` }],
      bad: [{ address: address.slice(2) }, { address: `${address}0` }, { address: null }],
    },
  ],
  [
    'DEP-1 a deposit is a positive integer of micros from one log',
    {
      schema: 'DepositRequestSchema',
      base: { address, amount: 1, txHash: hash, logIndex: 0, blockNumber: 0, blockHash: hash },
      bad: [{ amount: 0 }, { amount: 1.5 }, { amount: '1' }, { logIndex: -1 }, { txHash: '0x12' }],
    },
  ],
  [
    'FINE-1 a hand settlement names a series or a symbol with its expiry',
    {
      schema: 'HandSettleRequestSchema',
      base: { price: 190.5 },
      good: [{ seriesId }, { symbol: 'AAPL', expiryTs: 1_764_374_400 }],
      bad: [{}, { symbol: 'AAPL' }, { expiryTs: 1_764_374_400 }, { seriesId, price: '190.5' }],
    },
  ],
  [
    'CUS-10 a confirmation names the proposal beside what was proposed, and a step stands in its audit',
    {
      schema: 'SettleConfirmRequestSchema',
      base: { id: 812, price: 190.5 },
      good: [{ seriesId }, { symbol: 'AAPL', expiryTs: 1_764_374_400 }],
      bad: [{}, { seriesId, id: 0 }, { seriesId, id: '812' }, { seriesId, price: '190.5' }],
    },
  ],
  [
    'CUS-10 an attempt by one of two people has a step',
    {
      schema: 'AuditEntrySchema',
      base: auditEntry,
      good: [{}, { step: { act: 'propose', proposal: null, secret: 2 } }],
      bad: [
        { step: null },
        { step: { act: 'revoke', proposal: 1, secret: 1 } },
        { step: { act: 'confirm', proposal: 1, secret: 3 } },
      ],
    },
  ],
  [
    'ORA-2 settlements stand beside refusals only where there are any',
    {
      schema: 'SettlementListSchema',
      base: { settlements: [] },
      good: [{}, { refused: [refusedExpiry] }],
      bad: [{ refused: [] }, { refused: [settlement] }, { settlements: [refusedExpiry] }],
    },
  ],
  [
    'PAY-3 the audit is read from a number on',
    {
      schema: 'AuditQuerySchema',
      base: {},
      good: [{}, { after: '0' }, { after: '100000' }],
      bad: [{ after: '-1' }, { after: '1.5' }, { after: 'x' }, { after: '1'.repeat(16) }, { after: 1 }],
    },
  ],
  [
    'MM-3 a body with malformed rows is a body',
    {
      schema: 'QuotesBodySchema',
      base: {},
      good: [{ rows: [] }, { rows: [null, 7, []] }, { quotes: [{}, 'x'] }],
      bad: [{}, { rows: {} }, { quotes: null }],
    },
  ],
  [
    'a query names no symbol and no series longer than 64 characters',
    {
      schema: 'ChainQuerySchema',
      base: { symbol: 'BTC', expiryTs: '1764374400' },
      good: [{ symbol: 'X'.repeat(64) }],
      bad: [{ symbol: 'X'.repeat(65) }],
    },
  ],
  [
    'FEED-1 a body with malformed prints is a body',
    { schema: 'FeedBodySchema', base: {}, good: [{ prints: [null] }], bad: [{}, { prints: {} }] },
  ],
]);

describe('shapes', () => {
  for (const [title, { schema, base, good = [], bad = [] }] of CASES) {
    it(title, () => {
      for (const change of good) {
        assert.ok(Value.Check(schemaOf(schema), { ...base, ...change }), JSON.stringify(change));
      }
      for (const change of bad) {
        assert.equal(Value.Check(schemaOf(schema), { ...base, ...change }), false, JSON.stringify(change));
      }
    });
  }

  it('FINE-15 compact quote rows', () => {
    const good: wire.CompactQuote[] = [
      [3, null, null],
      [3, [], [[3.5, 2]]],
      [3, [[3.4, 1]], null, 0.25],
      [3, null, null, null, -0.5],
    ];
    const bad = [[], [3], [3, []], ['3', [], []], [3.5, [], []], [3, [[1]], []], [3, [[1, 2, 3]], []]];
    const worse = [[3, [['1', 2]], []], [3, {}, []], [3, [], [], 'x'], [3, [], [], 1, 1, 1], { 0: 3 }, null];
    for (const row of good) assert.ok(Value.Check(wire.CompactQuoteSchema, row), JSON.stringify(row));
    for (const row of [...bad, ...worse]) {
      assert.equal(Value.Check(wire.CompactQuoteSchema, row), false, JSON.stringify(row));
    }
  });

  it('WS-1 the type of a frame selects its schema', () => {
    const spots = { type: 'spots', spots: [instrument] };
    assert.ok(Value.Check(wire.StreamFrameSchema, spots));
    assert.equal(Value.Check(wire.StreamFrameSchema, { ...spots, type: 'tape' }), false);
  });
});
