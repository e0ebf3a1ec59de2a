/** Every example in the sdk's doc comments, run unchanged on a venue with paper or real money. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { after, before, test } from 'node:test';
import * as sdk from '@venue/sdk';
import {
  DEPOSITS,
  FEED_TOKEN,
  type LocalVenue,
  MAKER_TOKEN,
  OPERATOR_TOKEN,
  pricedVenue,
} from '../../packages/exchange/test/support.ts';

interface Example {
  readonly file: string;
  /** The function or class it belongs to. */
  readonly name: string;
  readonly code: string;
}

const DOC = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export )?(?:async )?(?:function |class |\*)?\s*(\w+)/g;
/** Only a venue with real money has these. */
const OF_REAL_MONEY = /^(custody|withdrawals|operator|audit)\.ts$|^reserves$/;

const files = globSync('packages/sdk/src/*.ts').filter((path) => !path.includes('.test.'));
const examples = files.flatMap(examplesOf);

let paper: LocalVenue;
let real: LocalVenue;

before(async () => {
  [paper, real] = await Promise.all([pricedVenue(), pricedVenue(DEPOSITS)]);
});
after(async () => {
  await Promise.all([paper.exchange.stop(), real.exchange.stop()]);
});

function examplesOf(path: string): Example[] {
  return [...readFileSync(path, 'utf8').matchAll(DOC)].flatMap(([, doc, name]) => {
    const [, raw] = /@example([\s\S]*)$/.exec(doc!) ?? [];
    if (raw === undefined) return [];
    const code = raw.replaceAll(/^\s*\* ?/gm, '').trim();
    return [{ file: basename(path), name: name!, code }];
  });
}

/** Names available to an example: the sdk's own, and a venue after a first approval. */
async function contextOf(isReal: boolean): Promise<Map<string, unknown>> {
  const exchange = isReal ? real : paper;
  const venue = new sdk.VenueClient({ url: exchange.url });
  const wallet = sdk.walletFromPrivateKey(sdk.randomPrivateKey());
  const session = await venue.auth.approveSession(wallet);
  await venue.auth.signIn(wallet);
  const { seriesId, sid, expiryTs } = await exchange.listed('BTC');
  const quiet = { log: () => {}, error: () => {} };
  const maker = venue.maker(MAKER_TOKEN);
  const { session: quoteSession } = await maker.session(crypto.randomUUID());
  const provider: sdk.InjectedProvider = {
    request: async ({ method, params = [] }) => {
      if (method === 'eth_requestAccounts') return [wallet.address];
      return wallet.signMessage({ message: Buffer.from(String(params[0]).slice(2), 'hex').toString() });
    },
  };
  const names = {
    venue,
    wallet,
    session,
    seriesId,
    sid,
    expiryTs,
    console: quiet,
    maker,
    quoteSession,
    provider,
  };
  const secrets = { feedToken: FEED_TOKEN, makerToken: MAKER_TOKEN, operatorToken: OPERATOR_TOKEN };
  const others = {
    page: new EventTarget(),
    notedHead: null,
    ...(isReal && (await realMoney(venue, wallet))),
  };
  return new Map(Object.entries({ ...sdk, ...names, ...secrets, ...others }));
}

let deposits = 0;

/** Creates a credited deposit, a held one, and a withdrawal. */
async function realMoney(venue: sdk.VenueClient, wallet: sdk.Wallet) {
  const custody = venue.custody(OPERATOR_TOKEN);
  const heldAddress = sdk.walletFromPrivateKey(sdk.randomPrivateKey()).address;
  for (const address of [wallet.address, heldAddress]) {
    deposits += 1;
    const hash = `0x${String(deposits).padStart(64, '0')}`;
    const log = { txHash: hash, logIndex: 0, blockNumber: deposits, blockHash: hash };
    await custody.deposit({ address, amount: 1_000_000_000, ...log });
  }
  const { id: withdrawalId } = await venue.withdrawals.request(1);
  const [token1, token2] = [DEPOSITS.VENUE_SETTLE_TOKEN_1!, DEPOSITS.VENUE_SETTLE_TOKEN_2!];
  return { custody, heldAddress, withdrawalId, settleTokens: { token1, token2 } };
}

const AsyncFunction = (async () => {}).constructor as new (
  ...words: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** Runs it; if it is one line with a value after it, that must be its result. */
async function run({ code }: Example, context: ReadonlyMap<string, unknown>): Promise<void> {
  const [, expression, value] = /^([^\n]*[^;\n]) \/\/ ([^\n]+)$/.exec(code) ?? [];
  const body = expression === undefined ? `{ ${code} }` : `return [${expression}, ${value}];`;
  const result = await new AsyncFunction(...context.keys(), body)(...context.values());
  if (expression !== undefined) assert.deepEqual((result as unknown[])[0], (result as unknown[])[1], code);
}

for (const example of examples) {
  test(`example of ${example.name} in ${example.file}`, async () => {
    const isReal = OF_REAL_MONEY.test(example.file) || OF_REAL_MONEY.test(example.name);
    await run(example, await contextOf(isReal));
  });
}

test('every call of a client and every function has an example', () => {
  const client = new sdk.VenueClient({ url: 'http://127.0.0.1:1' });
  const { market, auth, account, orders, withdrawals, operator } = client;
  const parts = [client, market, auth, account, orders, withdrawals, operator];
  const more = [client.custody('x'), client.feed('x'), client.maker('x'), sdk.TraderClient.prototype];
  const methods = [...parts, ...more].flatMap((part) => {
    const prototype = part === sdk.TraderClient.prototype ? part : Object.getPrototypeOf(part);
    return Object.entries(Object.getOwnPropertyDescriptors(prototype));
  });
  const calls = methods
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name]) => name);
  const functions = Object.entries(sdk)
    .filter(([, value]) => typeof value === 'function' && value.prototype === undefined)
    .map(([name]) => name);
  assert.ok(calls.length > 40);
  const shown = new Set(examples.map(({ name }) => name));
  assert.deepEqual(
    [...calls, ...functions].filter((name) => !shown.has(name)),
    [],
  );
});

test('every route of the contract has a call', () => {
  const contract = readFileSync('docs/reference/openapi.yaml', 'utf8');
  const paths = [...contract.matchAll(/^ {2}["']?(\/(?:v1\/|healthz)[^\s"']*?)["']?:$/gm)].map(
    ([, path]) => path!,
  );
  const source = files.map((path) => readFileSync(path, 'utf8')).join('\n');
  assert.ok(paths.length >= 20, `${paths.length} routes`);
  const isCalled = (path: string) => new RegExp(`['\`]${path.replace(/\{.*/, '\\$')}['\`{]`).test(source);
  assert.deepEqual(
    paths.filter((path) => !isCalled(path)),
    [],
  );
});
