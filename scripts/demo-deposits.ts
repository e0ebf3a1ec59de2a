/**
 * Takes a wallet through a venue with real money, on a local chain: deposit, trade, withdraw, claim; and a thief with a
 * key of the venue, who gets nothing.
 *
 *   npm run demo:deposits
 *
 * Everything is real except the money: the vault and its gate on a local chain, the exchange in deposits mode, feed,
 * maker, watcher, batcher and checker, each a process. All of it is deleted afterwards.
 */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAddress } from '@venue/protocol';
import { VenueClient, walletFromPrivateKey } from '@venue/sdk';
import {
  deployTestStablecoin,
  openGate,
  operatorGateAbi,
  readAddresses,
  testStablecoinAbi,
  type VaultAddresses,
  venueVaultAbi,
} from '@venue/vault';
import { erc20Abi, type Hex, toHex } from 'viem';
import type { Child } from '../packages/cli/src/process/child.ts';
import { type LocalAccount, type LocalChain, startChain } from '../packages/vault/test/chain.ts';
import { rolesOf, send, units } from './demo-chain.ts';
import { DemoProcesses, says } from './demo-processes.ts';
import { say, step, usd } from './demo-text.ts';

const CONFIRMATIONS = 2;
const DEPOSIT_USD = 10_000;
/** The operator's payment as the house, which covers profits made from the market maker. */
const HOUSE_USD = 50_000;
/** The sum that may leave the vault in a day without anybody having had the time to object. */
const FREE_USD = 1_000;
const SMALL_USD = 600;
/** More than may leave at once, and less than a tenth of the vault. */
const LARGE_USD = 4_000;
const DELAY_SECONDS = 3_600;
const STOLEN_USD = 20_000;
const FOLLOWS = /batch 0x\w{64} follows: 1 payouts, 4,?000/;
const STEP_LIMIT_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'venue-demo-'));
const processes = new DemoProcesses();
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());

const FILE = join(folder, 'vault.json');
const LOG = `sqlite:${join(folder, 'venue.db')}`;
let checker: Child;
let chain: LocalChain | undefined;
try {
  await demo();
} catch (error) {
  console.error(stopped.signal.aborted ? 'demo: broken off' : `demo: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await processes.stop();
  await chain?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function demo(): Promise<void> {
  step(
    'A local chain with a stablecoin of 6 decimals; the exchange in deposits mode, with prices and a market maker',
  );
  const { rpcUrl, token } = await startChainWithToken();
  const { url, secrets } = await startExchange();
  step('One transaction makes vault, gate and failsafe; the ledger is bound to that vault');
  const addresses = await deploy({ rpcUrl, token, url, secrets });
  const { vault, chainId } = addresses;
  step(
    'Prices, a market maker, the watcher of deposits, the batcher of payouts, and a checker with its own copy',
  );
  startDaemons({ ...addresses, rpcUrl, url, secrets });
  await deposit({ vault, token, from: accounts().house, amountUsd: HOUSE_USD });
  say(`the operator has paid in ${usd(HOUSE_USD)} as the house, for profits that the market maker owes`);

  const wallet = walletFromPrivateKey(accounts().trader.privateKey);
  step(`A wallet, ${wallet.address}, signs in and approves a session key: its account is still empty`);
  const venue = new VenueClient({ url });
  const session = await venue.auth.approveSession(wallet);
  say(
    `cash ${usd((await venue.account.me()).cash)}; the session key ${session.sessionKey} signs from here on`,
  );

  step(`It deposits ${usd(DEPOSIT_USD)}; after ${CONFIRMATIONS} more blocks the watcher credits it`);
  await deposit({ vault, token, from: accounts().trader, amountUsd: DEPOSIT_USD });
  await until('the deposit is credited', async () => (await venue.account.me()).cash === DEPOSIT_USD);
  say(`cash ${usd(DEPOSIT_USD)}`);

  step('It buys and sells an option, each order signed by the session key');
  await trade(venue);

  step(`It asks for ${usd(SMALL_USD)} back, which the gate lets through at once`);
  await committed(venue, vault, await withdraw(venue, SMALL_USD));

  step(
    `It asks for ${usd(LARGE_USD)}: more than ${usd(FREE_USD)} in a day waits for an hour, in which guardians can object`,
  );
  const follows = says(checker, FOLLOWS, STEP_LIMIT_MS);
  const large = await withdraw(venue, LARGE_USD);
  await follows;

  step(
    `A thief with the key of a proposer asks the gate for ${usd(STOLEN_USD)}: the checker votes against it`,
  );
  await steal(rpcUrl, large);

  step('The hour passes, on a chain that skips it, and the batcher executes what nobody objected to');
  await chain!.client.increaseTime({ seconds: DELAY_SECONDS });
  await committed(venue, vault, large);

  step('The wallet claims directly from the vault');
  await claim(vault, token);

  step('Anyone can verify vault and gate, and compare what the exchange owes with what it holds');
  await processes.run(['vault', 'verify', '--rpc', rpcUrl, '--file', FILE], {});
  await processes.run(['reserves', '--rpc', rpcUrl, '--token', token], {
    VENUE_URL: url,
    VENUE_VAULT_ADDRESS: vault,
    VENUE_CHAIN_ID: `${chainId}`,
  });
  console.log(
    '\nDone. docs/how-to/run-custody.md says how to run this with real money, and what to trust whom for.',
  );
}

function accounts() {
  return rolesOf(chain!);
}

async function startChainWithToken() {
  chain = await startChain({ args: ['--block-time', '1'] });
  const { rpcUrl } = chain;
  const { deployer, house, trader } = accounts();
  const token = await deployTestStablecoin({ rpcUrl, deployerKey: deployer.privateKey });
  for (const [{ address }, amountUsd] of [
    [trader, DEPOSIT_USD],
    [house, HOUSE_USD],
  ] as const)
    await send(chain!, deployer, {
      address: token,
      abi: testStablecoinAbi,
      functionName: 'mint',
      args: [address, units(amountUsd)],
    });
  return { rpcUrl, token };
}

type Secrets = Readonly<Record<string, string>>;

/** The exchange, with feed and maker. */
async function startExchange(): Promise<{ url: string; secrets: Secrets }> {
  const secrets = secretsOf([
    'OPERATOR_TOKEN',
    'DEPOSIT_TOKEN',
    'PAYOUT_TOKEN',
    'MAKER_TOKEN',
    'FEED_TOKEN',
    'SETTLE_TOKEN_1',
    'SETTLE_TOKEN_2',
  ]);
  const exchange = processes.start('exchange', {
    ...secrets,
    VENUE_FUNDING_MODE: 'deposits',
    VENUE_RISK_MARK: 'model',
    // Nothing here is worth money but the play of it.
    VENUE_SIMULATED_PRICES: '1',
    VENUE_PORT: '0',
    VENUE_LOG: LOG,
    VENUE_LOG_LEVEL: 'error',
  });
  const [, url = ''] = await says(exchange, /exchange listening on (\S+)/, STEP_LIMIT_MS);
  processes.start('feed', {
    VENUE_URL: url,
    VENUE_FEED_SOURCE: 'simulated',
    VENUE_FEED_TOKEN: secrets.VENUE_FEED_TOKEN!,
  });
  processes.start('maker', { VENUE_URL: url, VENUE_MAKER_TOKEN: secrets.VENUE_MAKER_TOKEN! });
  return { url, secrets };
}

async function deploy({
  rpcUrl,
  token,
  url,
  secrets,
}: {
  readonly rpcUrl: string;
  readonly token: Hex;
  readonly url: string;
  readonly secrets: Secrets;
}): Promise<VaultAddresses> {
  const { deployer, failsafe, proposer, spare, guardian, person, cold, house } = accounts();
  await processes.run(
    [
      ...['vault', 'deploy', '--rpc', rpcUrl, '--token', token, '--failsafe', failsafe.address],
      ...['--proposers', `${proposer.address},${spare.address}`, '--cold', cold.address],
      ...['--guardians', `${guardian.address},${person.address}`, '--vetoes', '1'],
      ...['--free-usd', `${FREE_USD}`, '--cap-usd', '25000', '--short-delay', `${DELAY_SECONDS}s`],
      ...['--out', FILE, '--bind', '--funder', house.address, '--url', url, '--yes'],
    ],
    {
      VENUE_DEPLOYER_KEY: deployer.privateKey,
      VENUE_SETTLE_TOKEN_1: secrets.VENUE_SETTLE_TOKEN_1!,
      VENUE_SETTLE_TOKEN_2: secrets.VENUE_SETTLE_TOKEN_2!,
    },
  );
  return readAddresses(FILE);
}

/** Starts the daemons between the exchange and the chain. */
function startDaemons({
  rpcUrl,
  url,
  secrets,
  chainId,
  vault,
  token,
  blockNumber,
}: VaultAddresses & { readonly rpcUrl: string; readonly url: string; readonly secrets: Secrets }): void {
  const node = {
    VENUE_RPC_URL: rpcUrl,
    // The chain of the demo has one node, in the same hands as everything else.
    VENUE_RPC_SINGLE: '1',
    VENUE_CONFIRMATIONS: `${CONFIRMATIONS}`,
    VENUE_RPC_POLL_MS: '250',
  };
  const money = {
    ...node,
    VENUE_URL: url,
    VENUE_CHAIN_ID: `${chainId}`,
    VENUE_VAULT_ADDRESS: vault,
    VENUE_TOKEN_ADDRESS: token,
    VENUE_VAULT_FROM_BLOCK: `${blockNumber}`,
  };
  processes.start('watcher', {
    ...money,
    VENUE_DEPOSIT_TOKEN: secrets.VENUE_DEPOSIT_TOKEN!,
    VENUE_WATCHER_STATE: join(folder, 'watcher.json'),
  });
  processes.start('batcher', {
    ...money,
    VENUE_PAYOUT_TOKEN: secrets.VENUE_PAYOUT_TOKEN!,
    VENUE_BATCHER_STATE: join(folder, 'batcher.json'),
    VENUE_BATCH_INTERVAL_MS: '1000',
    VENUE_VAULT_OPERATOR_KEY: accounts().proposer.privateKey,
  });
  checker = processes.start('checker', {
    ...node,
    // One machine has one log; elsewhere the checker's copy is on a machine of its own.
    VENUE_CHECKER_LOG: LOG,
    VENUE_CHECKER_STATE: join(folder, 'checker.json'),
    VENUE_VAULT_DEPLOYMENT: FILE,
    VENUE_GUARDIAN_KEY: accounts().guardian.privateKey,
  });
}

async function deposit({
  vault,
  token,
  from,
  amountUsd,
}: {
  readonly vault: Hex;
  readonly token: Hex;
  readonly from: LocalAccount;
  readonly amountUsd: number;
}): Promise<void> {
  const amount = units(amountUsd);
  await send(chain!, from, { address: token, abi: erc20Abi, functionName: 'approve', args: [vault, amount] });
  await send(chain!, from, { address: vault, abi: venueVaultAbi, functionName: 'deposit', args: [amount] });
}

async function trade(venue: VenueClient): Promise<void> {
  const seriesId = await until('an option is offered and asked for', () => quotedCall(venue, 'BTC'));
  for (const side of ['buy', 'sell'] as const) {
    const { status, fills, account } = await venue.orders.place({ seriesId, side, qty: 0.1 });
    const at = fills.map(({ price, qty }) => `${qty} at ${price}`).join(', ');
    say(`${side} 0.1 ${seriesId}: ${status}${at && `, ${at}`}; cash ${usd(account.cash)}`);
  }
}

/** A call of the second expiry with quotes on both sides. */
async function quotedCall(venue: VenueClient, symbol: string): Promise<string | null> {
  const expiries = new Set((await venue.market.series(symbol)).map(({ expiryTs }) => expiryTs));
  const expiryTs = [...expiries].sort((a, b) => a - b)[1];
  if (expiryTs === undefined) return null;
  const { rows, spot } = await venue.market.chain(symbol, expiryTs);
  const quoted = rows.filter(({ strike, call }) => strike >= spot && call?.bid && call.ask);
  return quoted[0]?.call?.seriesId ?? null;
}

async function withdraw(venue: VenueClient, amountUsd: number): Promise<number> {
  const { id, account } = await venue.withdrawals.request(amountUsd);
  say(`withdrawal ${id} of ${usd(amountUsd)} requested; cash ${usd(account.cash)}`);
  return id;
}

/** Waits until the vault owes it to the wallet, and the exchange knows. */
async function committed(venue: VenueClient, vault: Hex, id: number): Promise<void> {
  const { txHash } = await until('the payout is committed', async () => {
    const payout = await venue.withdrawals.find(id);
    return payout.state === 'committed' && payout;
  });
  const owed = await chain!.client.readContract({
    address: vault,
    abi: venueVaultAbi,
    functionName: 'entitlementOf',
    args: [accounts().trader.address],
  });
  say(`withdrawal ${id} committed in ${txHash}; the vault owes the wallet ${usd(Number(owed) / 1e6)}`);
}

/** Proposes the trader's payout to a thief, with the key of the spare proposer, and waits until that proposer is out. */
async function steal(rpcUrl: string, payoutId: number): Promise<void> {
  const { spare, thief } = accounts();
  const { gate } = await openGate(FILE, [rpcUrl]);
  const batch = toHex('theft', { size: 32 });
  const payouts = [
    { id: BigInt(payoutId), account: parseAddress(thief.address)!, amount: units(STOLEN_USD) },
  ];
  await send(chain!, spare, {
    address: parseAddress(gate.address)!,
    abi: operatorGateAbi,
    functionName: 'propose',
    args: [batch, payouts],
  });
  const proposer = parseAddress(spare.address)!;
  await until('the theft is vetoed', async () => !(await gate.isProposer(proposer)));
  say(`proposer ${proposer} is out: nothing that it has proposed can ever be committed`);
}

async function claim(vault: Hex, token: Hex): Promise<void> {
  const { trader } = accounts();
  await send(chain!, trader, { address: vault, abi: venueVaultAbi, functionName: 'claim', args: [] });
  const balance = await chain!.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [trader.address],
  });
  say(`the wallet holds ${usd(Number(balance) / 1e6)}`);
}

/** Retries until there is an answer, and says so while it waits. */
async function until<T>(what: string, ask: () => Promise<T | null | false>): Promise<T> {
  const startedMs = performance.now();
  for (let i = 1; ; i++) {
    stopped.signal.throwIfAborted();
    processes.check();
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > STEP_LIMIT_MS) throw new Error(`waited ${STEP_LIMIT_MS / 1_000} s in vain until ${what}`);
    if (i % 20 === 0) say(`waiting until ${what} (${Math.round(waitedMs / 1_000)} s)`);
    await sleep(250);
  }
}

function secretsOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`VENUE_${name}`, randomBytes(32).toString('hex')]));
}
