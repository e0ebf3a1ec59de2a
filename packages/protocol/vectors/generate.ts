/**
 * Writes `envelopes.json`: every signed text with its digest and signature, computed by two independent libraries that
 * must agree. The texts are typed out here, independent of the code they test.
 */

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
const EXPIRES = 1_766_966_400_000;
const NONCE = 1_764_374_400_123;

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly fields: Record<string, unknown>;
  readonly text: string;
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
