/**
 * Writes `envelopes.json`: every signed text with its digest and signature, computed by two independent libraries that
 * must agree. The texts are typed out here, independent of the code they test.
 */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hashMessage as ethersDigest, verifyMessage, Wallet } from 'ethers';
import { type Hex, hashMessage, recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

// Keys used throughout the tests: the smallest, a repeated byte, the first of the well-known development mnemonic, and
// the largest in range.
const KEYS: readonly Hex[] = [
  '0x0000000000000000000000000000000000000000000000000000000000000001',
  '0x1111111111111111111111111111111111111111111111111111111111111111',
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140',
];

const ACCOUNT = '0xAbCdEf0123456789aBcDeF0123456789ABCDEF01';
const SESSION = '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const VENUE = '0123456789abcdef0123456789abcdef';
const EXPIRES = 1_766_966_400_000;
const NONCE = 1_764_374_400_123;

/** SHA-256 of the bodies `{"quotes":[]}`, and of one that is empty. */
const HASHES = [
  createHash('sha256').update('{"quotes":[]}').digest('hex'),
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
];

const SUBSCRIPTION = { endpoint: 'https://push.example/one', p256dh: 'BCVx', auth: 'c2VjcmV0' };
const DEVICE = sha256('https://push.example/one').slice(0, 32);

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Acts on the devices that get pushes, and the lines between account and nonce. */
const PUSH_ACTS: readonly { name: string; act: Record<string, unknown>; lines: readonly string[] }[] = [
  {
    name: 'device on',
    act: { act: 'on', subscription: SUBSCRIPTION, kinds: ['fills', 'margin'], name: 'Phone' },
    lines: [
      'act: on',
      `device: ${DEVICE}`,
      'name: Phone',
      'kinds: fills, margin',
      `subscription: ${sha256('["https://push.example/one","BCVx","c2VjcmV0"]')}`,
    ],
  },
  { name: 'device off', act: { act: 'off', device: DEVICE }, lines: ['act: off', `device: ${DEVICE}`] },
  { name: 'devices', act: { act: 'list' }, lines: ['act: list'] },
];

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly fields: Record<string, unknown>;
  readonly text: string;
}

/** Actions as posted, and the line that each is signed as. */
const ACTIONS: readonly { name: string; action: Record<string, unknown>; line: string }[] = [
  {
    name: 'limit order with every default',
    action: { type: 'place', seriesId: 'AAPL-1764374400-C-190', side: 'buy', qty: 2, price: 3.5 },
    line: 'place AAPL-1764374400-C-190 buy 2000000 3500000 gtc - taker -',
  },
  {
    name: 'market order with every default',
    action: { type: 'place', seriesId: 'BTC-1764374400-P-97500', side: 'sell', qty: 0.000001 },
    line: 'place BTC-1764374400-P-97500 sell 1 market ioc - taker -',
  },
  {
    name: 'limit order at zero, its flags false',
    action: {
      type: 'place',
      seriesId: 'AAPL-1764374400-C-190',
      side: 'buy',
      qty: 0,
      price: 0,
      tif: 'gtc',
      postOnly: false,
      reduceOnly: false,
      stp: 'taker',
    },
    line: 'place AAPL-1764374400-C-190 buy 0 0 gtc - taker -',
  },
  {
    name: 'post-only until a date',
    action: {
      type: 'place',
      seriesId: 'ETH-1764374400-P-3012.5',
      side: 'sell',
      qty: 1.5,
      price: 0.25,
      tif: 'gtd',
      expiresAt: 1_764_374_400_999,
      postOnly: true,
      stp: 'maker',
      clientId: 'Quote_7-b',
    },
    line: 'place ETH-1764374400-P-3012.5 sell 1500000 250000 gtd:1764374400999 post-only maker Quote_7-b',
  },
  {
    name: 'reduce-only, all or nothing',
    action: {
      type: 'place',
      seriesId: 'SPX-1764374400-C-6000',
      side: 'buy',
      qty: 10,
      price: 12.345678,
      tif: 'fok',
      reduceOnly: true,
      stp: 'both',
      clientId: '9',
    },
    line: 'place SPX-1764374400-C-6000 buy 10000000 12345678 fok reduce-only both 9',
  },
  {
    name: 'limit order, immediate or cancelled',
    action: {
      type: 'place',
      seriesId: 'SPX-1764374400-C-6000',
      side: 'sell',
      qty: 3,
      price: 1,
      tif: 'ioc',
      stp: 'none',
    },
    line: 'place SPX-1764374400-C-6000 sell 3000000 1000000 ioc - none -',
  },
  {
    name: 'amended quantity by order id',
    action: { type: 'amend', orderId: 42, qty: 1.25 },
    line: 'amend #42 1250000 - -',
  },
  {
    name: 'amended price by client id',
    action: { type: 'amend', clientId: 'Quote_7-b', price: 2 },
    line: 'amend Quote_7-b - 2000000 -',
  },
  {
    name: 'amended quantity and price, filled at most',
    action: { type: 'amend', orderId: 9_007_199_254_740_991, qty: 0, price: 0.01, filledAtMost: 0 },
    line: 'amend #9007199254740991 0 10000 0',
  },
  { name: 'cancel by order id', action: { type: 'cancel', orderId: 42 }, line: 'cancel #42' },
  { name: 'cancel by client id', action: { type: 'cancel', clientId: 'a' }, line: 'cancel a' },
  { name: 'cancel of everything', action: { type: 'cancel-all' }, line: 'cancel-all all both' },
  {
    name: 'cancel of a side',
    action: { type: 'cancel-all', side: 'buy' },
    line: 'cancel-all all buy',
  },
  {
    name: 'cancel of symbols, unsorted and in mixed case',
    action: { type: 'cancel-all', symbols: ['eth', 'BTC', 'b2', '9'], side: 'sell' },
    line: 'cancel-all symbols:9,B2,BTC,ETH sell',
  },
  {
    name: 'cancel of series, unsorted',
    action: { type: 'cancel-all', seriesIds: ['BTC-1764374400-P-97500', 'AAPL-1764374400-C-190'] },
    line: 'cancel-all series:AAPL-1764374400-C-190,BTC-1764374400-P-97500 both',
  },
  { name: 'guard', action: { type: 'guard', ms: 30_000 }, line: 'guard 30000' },
  { name: 'no guard', action: { type: 'guard', ms: 0 }, line: 'guard 0' },
  {
    name: 'protection by contracts and delta',
    action: {
      type: 'protect',
      set: 16,
      symbol: 'btc',
      windowMs: 600_000,
      qty: 10.000001,
      delta: 2.5,
      frozenMs: 86_400_000,
    },
    line: 'protect 16 BTC 600000 10000001 2500000 86400000',
  },
  {
    name: 'protection by contracts, frozen until unfrozen',
    action: { type: 'protect', set: 1, symbol: 'ETH', windowMs: 100, qty: 5, frozenMs: 0 },
    line: 'protect 1 ETH 100 5000000 - 0',
  },
  {
    name: 'end of a set',
    action: { type: 'protect', set: 2, symbol: 'ETH', windowMs: 100, qty: 0, delta: 0, frozenMs: 0 },
    line: 'protect 2 ETH 100 0 0 0',
  },
  { name: 'unfreeze', action: { type: 'unfreeze', set: 7 }, line: 'unfreeze 7' },
  {
    name: 'combo with every default',
    action: {
      type: 'combo',
      legs: [
        { seriesId: 'BTC-1764374400-C-100000', side: 'buy', ratio: 1 },
        { seriesId: 'BTC-1764374400-C-110000', side: 'sell', ratio: 1 },
      ],
      qty: 2,
    },
    line: 'combo 2000000 market ioc - buy:1:BTC-1764374400-C-100000,sell:1:BTC-1764374400-C-110000',
  },
  {
    name: 'combo of four legs that must bring in',
    action: {
      type: 'combo',
      legs: [
        { seriesId: 'BTC-1764374400-P-80000', side: 'buy', ratio: 1 },
        { seriesId: 'BTC-1764374400-P-90000', side: 'sell', ratio: 10 },
        { seriesId: 'BTC-1764374400-C-110000.5', side: 'sell', ratio: 2 },
        { seriesId: 'BTC-1764374400-C-120000', side: 'buy', ratio: 1 },
      ],
      qty: 0.000001,
      net: -473.000001,
      tif: 'fok',
      clientId: 'Condor_1',
    },
    line: 'combo 1 -473000001 fok Condor_1 buy:1:BTC-1764374400-P-80000,sell:10:BTC-1764374400-P-90000,sell:2:BTC-1764374400-C-110000.5,buy:1:BTC-1764374400-C-120000',
  },
  {
    name: 'combo at nothing or less',
    action: {
      type: 'combo',
      legs: [
        { seriesId: 'A-1-C-1', side: 'sell', ratio: 1 },
        { seriesId: 'A-1-C-2', side: 'buy', ratio: 3 },
      ],
      qty: 0,
      net: 0,
      tif: 'ioc',
    },
    line: 'combo 0 0 ioc - sell:1:A-1-C-1,buy:3:A-1-C-2',
  },
  ...(['per-leg', 'defined-risk'] as const).map((mode) => ({
    name: `margin mode ${mode}`,
    action: { type: 'margin-mode', mode },
    line: `margin-mode ${mode}`,
  })),
];

function batch(name: string, actions: typeof ACTIONS): Case {
  return {
    name: `batch: ${name}`,
    kind: 'batch',
    fields: { venue: VENUE, account: ACCOUNT, actions: actions.map(({ action }) => action), nonce: NONCE },
    text: [
      'Venue batch v1\nvenue: 0123456789abcdef0123456789abcdef\naccount: 0xabcdef0123456789abcdef0123456789abcdef01',
      `actions: ${actions.length}`,
      ...actions.map(({ line }) => line),
      'nonce: 1764374400123',
    ].join('\n'),
  };
}

const CASES: readonly Case[] = [
  {
    name: 'sign-in',
    kind: 'challenge',
    fields: { address: ACCOUNT, nonce: '9f86d081884c7d659a2feaa0c55ad015' },
    text: 'Venue: sign in to prove you own this address.\n\nAddress: 0xabcdef0123456789abcdef0123456789abcdef01\nNonce: 9f86d081884c7d659a2feaa0c55ad015',
  },
  {
    name: 'session approval',
    kind: 'approval',
    fields: { account: ACCOUNT, sessionKey: SESSION, expiresAtMs: EXPIRES },
    text: 'Venue: approve a trading session.\n\nThis lets this device place orders on your behalf until it expires.\nIt cannot withdraw funds, move positions, or approve another session.\n\nAccount: 0xabcdef0123456789abcdef0123456789abcdef01\nSession key: 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266\nExpires: 1766966400000',
  },
  {
    name: 'session revocation',
    kind: 'revocation',
    fields: { account: ACCOUNT, sessionKey: SESSION, expiresAtMs: EXPIRES },
    text: 'Venue: revoke a trading session.\n\nAccount: 0xabcdef0123456789abcdef0123456789abcdef01\nSession key: 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266\nExpires: 1766966400000',
  },
  ...[
    { name: 'limit buy', seriesId: 'AAPL-1764374400-C-190', side: 'buy', qty: 2_000_000, price: 3_500_000 },
    { name: 'market sell', seriesId: 'BTC-1764374400-P-97500', side: 'sell', qty: 10_000, price: 'market' },
    { name: 'limit at zero', seriesId: 'AAPL-1764374400-C-190', side: 'buy', qty: 1_000_000, price: 0 },
    { name: 'one micro each', seriesId: 'ETH-1764374400-P-3012.5', side: 'sell', qty: 1, price: 1 },
    {
      name: 'greatest amounts',
      seriesId: 'SPX-1764374400-C-6000',
      side: 'buy',
      qty: 9_007_199_254_740_991,
      price: 9_007_199_254_740_991,
    },
    { name: 'negative amounts', seriesId: 'SPX-1764374400-C-6000', side: 'buy', qty: -1, price: -2_500_000 },
    { name: 'unicode series', seriesId: 'Ω—日本-𝄞', side: 'sell', qty: 1_500_000, price: 250_000 },
  ].map(({ name, seriesId, side, qty, price }) => ({
    name: `order: ${name}`,
    kind: 'order',
    fields: { account: ACCOUNT, seriesId, side, qtyMicros: qty, priceMicros: price, nonce: NONCE },
    text: `Venue order v1\naccount: 0xabcdef0123456789abcdef0123456789abcdef01\nseries: ${seriesId}\nside: ${side}\nqty: ${qty}\nprice: ${price}\nnonce: 1764374400123`,
  })),
  ...[
    { name: 'everything', symbols: 'all', line: 'all' },
    { name: 'one symbol', symbols: ['aapl'], line: 'AAPL' },
    {
      name: 'symbols unsorted, in mixed case',
      symbols: ['eth', 'BTC', 'aapl', 'Spx', 'B2'],
      line: 'AAPL,B2,BTC,ETH,SPX',
    },
    { name: 'a symbol twice', symbols: ['btc', 'AAPL', 'BTC'], line: 'AAPL,BTC,BTC' },
    {
      name: 'symbols sorted by code unit, only ASCII letters raised',
      symbols: ['é', 'z', '10', '9'],
      line: '10,9,Z,é',
    },
  ].map(({ name, symbols, line }) => ({
    name: `cancel: ${name}`,
    kind: 'cancel',
    fields: { account: ACCOUNT, symbols, nonce: NONCE },
    text: `Venue cancel v1\naccount: 0xabcdef0123456789abcdef0123456789abcdef01\nsymbols: ${line}\nnonce: 1764374400123`,
  })),
  {
    name: 'cancel of one order',
    kind: 'cancelOrder',
    fields: { account: ACCOUNT, orderId: 9_007_199_254_740_991, nonce: NONCE },
    text: 'Venue cancel order v1\naccount: 0xabcdef0123456789abcdef0123456789abcdef01\norder: 9007199254740991\nnonce: 1764374400123',
  },
  {
    name: 'margin on',
    kind: 'margin',
    fields: { account: ACCOUNT, enabled: true, nonce: NONCE },
    text: 'Venue margin v1\naccount: 0xabcdef0123456789abcdef0123456789abcdef01\nenabled: true\nnonce: 1764374400123',
  },
  {
    name: 'margin off',
    kind: 'margin',
    fields: { account: ACCOUNT, enabled: false, nonce: NONCE },
    text: 'Venue margin v1\naccount: 0xabcdef0123456789abcdef0123456789abcdef01\nenabled: false\nnonce: 1764374400123',
  },
  ...[1, 25_500_000, 9_007_199_254_740_991].map((amount) => ({
    name: `withdrawal of ${amount}`,
    kind: 'withdraw',
    fields: { account: ACCOUNT, amountMicros: amount, nonce: NONCE },
    text: `Venue withdraw v1\naccount: 0xabcdef0123456789abcdef0123456789abcdef01\namount: ${amount}\nnonce: 1764374400123`,
  })),
  ...(['json', 'sqw1'] as const).map((form, i) => ({
    name: `push in ${form}`,
    kind: 'quotes',
    fields: { venue: VENUE, account: ACCOUNT, set: 1 + 15 * i, form, bodyHash: HASHES[i], nonce: NONCE },
    text: `Venue quotes v1\nvenue: 0123456789abcdef0123456789abcdef\naccount: 0xabcdef0123456789abcdef0123456789abcdef01\nset: ${1 + 15 * i}\ntype: ${form}\nbody: ${HASHES[i]}\nnonce: 1764374400123`,
  })),
  ...ACTIONS.map((one) => batch(one.name, [one])),
  batch('every action, in order', ACTIONS),
  batch(
    '64 actions',
    Array.from({ length: 64 }, (_, i) => ACTIONS[i % ACTIONS.length]!),
  ),
  {
    name: 'payout approval',
    kind: 'payoutApproval',
    fields: {
      chainId: 31_337,
      vault: SESSION,
      payoutId: 1_099_511_627_777,
      account: ACCOUNT,
      amountMicros: 25_500_000,
    },
    text: 'Venue payout approval v1\nchain: 31337\nvault: 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266\npayout: 1099511627777\naccount: 0xabcdef0123456789abcdef0123456789abcdef01\namount: 25500000',
  },
  ...PUSH_ACTS.map(({ name, act, lines }) => ({
    name: `push: ${name}`,
    kind: 'push',
    fields: { venue: VENUE, account: ACCOUNT, act, nonce: NONCE },
    text: [
      'Venue push v1\nvenue: 0123456789abcdef0123456789abcdef\naccount: 0xabcdef0123456789abcdef0123456789abcdef01',
      ...lines,
      'nonce: 1764374400123',
    ].join('\n'),
  })),
];

async function sign(text: string, privateKey: Hex) {
  const account = privateKeyToAccount(privateKey);
  const wallet = new Wallet(privateKey);
  const digest = hashMessage(text);
  const signature = await account.signMessage({ message: text });
  const recovered = await recoverMessageAddress({ message: text, signature });
  agree('digest', digest, ethersDigest(text));
  agree('signature', signature, await wallet.signMessage(text));
  agree('address', account.address, wallet.address);
  agree('recovered by viem', recovered, account.address);
  agree('recovered by ethers', verifyMessage(text, signature), account.address);
  return { privateKey, digest, signature, address: recovered.toLowerCase() };
}

function agree(what: string, one: string, other: string): void {
  if (one !== other) throw new Error(`the libraries disagree on the ${what}: ${one} and ${other}`);
}

const vectors = [];
for (const [i, { name, kind, fields, text }] of CASES.entries()) {
  vectors.push({ name, kind, fields, text, ...(await sign(text, KEYS[i % KEYS.length]!)) });
}
writeFileSync(new URL('envelopes.json', import.meta.url), `${JSON.stringify(vectors, null, 2)}\n`);
console.log(`${vectors.length} vectors`);
