/** Every example in the sdk's doc comments, run unchanged on a venue with paper or real money. */

// @seconds 25

import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as sdk from '@venue/sdk';
import * as spreads from '@venue/sdk/spreads';
import { type FinishedDay, nextDay } from '../../packages/exchange/test/finished-day.ts';
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
const OF_REAL_MONEY = /^(custody|withdrawals|operator|audit)\.ts$|^reserves$|ByContract$|^parked$/;

const files = globSync('packages/sdk/src/**/*.ts').filter((path) => !path.includes('.test.'));
const examples = files.flatMap(examplesOf);

let paper: LocalVenue;
let real: LocalVenue;
/** Has files, which no venue has on its first day. */
let dayOld: FinishedDay;
const folder = mkdtempSync(join(tmpdir(), 'venue-sdk-functions-'));

before(async () => {
  [paper, real, dayOld] = await Promise.all([pricedVenue(), pricedVenue(DEPOSITS), nextDay(folder)]);
});
after(async () => {
  await Promise.all([paper, real, dayOld.venue].map(({ exchange }) => exchange.stop()));
  rmSync(folder, { recursive: true, force: true });
});

function examplesOf(path: string): Example[] {
  return [...readFileSync(path, 'utf8').matchAll(DOC)].flatMap(([, doc, name]) => {
    const [, raw] = /@example([\s\S]*)$/.exec(doc!) ?? [];
    if (raw === undefined) return [];
    const code = raw.replaceAll(/^\s*\* ?/gm, '').trim();
    return [{ file: basename(path), name: name!, code }];
  });
}

/** The clock of this venue stands still in the past, so that nobody signs in there. */
function contextOfFiles(): Map<string, unknown> {
  const venue = new sdk.VenueClient({ url: dayOld.venue.url });
  return new Map<string, unknown>([
    ['venue', venue],
    ['console', { log: () => {} }],
  ]);
}

/** Names available to an example: the sdk's own, and a venue after a first approval. */
async function contextOf(isReal: boolean): Promise<Map<string, unknown>> {
  const exchange = isReal ? real : paper;
  const venue = new sdk.VenueClient({ url: exchange.url });
  const wallet = sdk.walletFromPrivateKey(sdk.randomPrivateKey());
  const session = await venue.auth.approveSession(wallet);
  await venue.auth.signIn(wallet);
  const { seriesId, sid, expiryTs } = await exchange.listed('BTC');
  const { body: listed } = await exchange.get('/v1/series?symbol=BTC');
  const otherSeriesId = listed.series.at(-1).seriesId;
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
    otherSeriesId,
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
  return new Map(Object.entries({ ...sdk, ...spreads, ...names, ...secrets, ...others }));
}

let deposits = 0;

/** Creates credited deposits, one of them held back since, one of a stranger, a withdrawal and a parked approval. */
async function realMoney(venue: sdk.VenueClient, wallet: sdk.Wallet) {
  const custody = venue.custody(OPERATOR_TOKEN);
  const heldAddress = sdk.walletFromPrivateKey(sdk.randomPrivateKey()).address;
  const [txHash, heldTxHash] = [await deposit(wallet.address), await deposit(wallet.address)];
  // One more, out of which the withdrawal is paid.
  for (const address of [wallet.address, heldAddress]) await deposit(address);
  await custody.holdDeposit({ txHash: heldTxHash, logIndex: 0, reason: 'an example' });
  const { id: withdrawalId } = await venue.withdrawals.request(1);
  const [token1, token2] = [DEPOSITS.VENUE_SETTLE_TOKEN_1!, DEPOSITS.VENUE_SETTLE_TOKEN_2!];
  const { id: parkedId } = await parkedApproval(custody);
  return {
    ...{ custody, heldAddress, txHash, heldTxHash, withdrawalId, parkedId, address: wallet.address },
    ...{ payoutId: LOST_PAYOUT_ID, vault: VAULT, approver: APPROVER, signature: APPROVAL },
    ...{ safe: walletOfContract(), settleTokens: { token1, token2 } },
  };

  async function deposit(address: string): Promise<`0x${string}`> {
    deposits += 1;
    const hash = `0x${String(deposits).padStart(64, '0')}` as const;
    const log = { txHash: hash, logIndex: 0, blockNumber: deposits, blockHash: hash };
    await custody.deposit({ address, amount: 1_000_000_000, chainId: 1, vault: VAULT, ...log });
    return hash;
  }
}

/** A number that the ledger has not given yet. */
const LOST_PAYOUT_ID = 1_000_000;
const VAULT = `0x${'7a'.repeat(20)}`;
const APPROVER = `0x${'7b'.repeat(20)}`;
const APPROVAL = `0x${'7c'.repeat(65)}`;

/** A wallet that is a contract; what it signs, the attestor has to judge. */
function walletOfContract(): sdk.Wallet {
  const { address } = sdk.walletFromPrivateKey(sdk.randomPrivateKey());
  return { address, signMessage: async () => '0x7d' };
}

/** Approves whatever contract wallets ask for. */
async function attestAll(signal: AbortSignal): Promise<void> {
  const custody = new sdk.VenueClient({ url: real.url }).custody(OPERATOR_TOKEN);
  const block = { chainId: 1, blockNumber: 1, blockHash: `0x${'7e'.repeat(32)}` };
  while (!signal.aborted) {
    for (const { id } of await custody.parked()) await custody.attest({ id, verdict: 'valid', ...block });
    await sleep(20);
  }
}

async function parkedApproval(custody: ReturnType<sdk.VenueClient['custody']>) {
  const known = new Set((await custody.parked()).map(({ id }) => id));
  const venue = new sdk.VenueClient({ url: real.url });
  venue.auth.approveSessionByContract(walletOfContract()).catch(() => {});
  for (;;) {
    const row = (await custody.parked()).find(({ id }) => !known.has(id));
    if (row !== undefined) return row;
    await sleep(10);
  }
}

const AsyncFunction = (async () => {}).constructor as new (
  ...words: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** Runs it; if it is one line with a value after it, that must be its result. */
async function run({ code }: Example, context: ReadonlyMap<string, unknown>): Promise<void> {
  const [, expression, value] = /^([^\n]*[^;\n]) \/\/ ([^\n]+)$/.exec(code) ?? [];
  const body = expression === undefined ? `{ ${code}\n}` : `return [${expression}, ${value}];`;
  const result = await new AsyncFunction(...context.keys(), body)(...context.values());
  if (expression !== undefined) assert.deepEqual((result as unknown[])[0], (result as unknown[])[1], code);
}

/** Loops over channels end when these are closed. */
async function runWithChannels(example: Example, context: Map<string, unknown>): Promise<void> {
  const channels = sdk.openChannels(context.get('venue') as sdk.VenueClient);
  const closing = setTimeout(() => channels.close(), CHANNELS_MS);
  await run(example, new Map([...context, ['channels', channels], ['lastFillId', 0]]));
  clearTimeout(closing);
  channels.close();
}

/** Long enough for an answer on a busy machine. */
const CHANNELS_MS = 5_000;

for (const example of examples) {
  test(`example of ${example.name} in ${example.file}`, async () => {
    if (example.file === 'files.ts') return run(example, contextOfFiles());
    const isReal = OF_REAL_MONEY.test(example.file) || OF_REAL_MONEY.test(example.name);
    const context = await contextOf(isReal);
    if (/\bchannels\./.test(example.code)) return runWithChannels(example, context);
    if (!/\bsafe\b/.test(example.code)) return run(example, context);
    const ran = new AbortController();
    const attestor = attestAll(ran.signal);
    await run(example, context).finally(() => ran.abort());
    await attestor;
  });
}

test('every call of a client and every function has an example', () => {
  const client = new sdk.VenueClient({ url: 'http://127.0.0.1:1' });
  const { market, auth, account, orders, withdrawals, operator, files: daily } = client;
  const parts = [client, market, auth, account, orders, withdrawals, operator, daily];
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
