/**
 * Takes a wallet through a venue with real money, on a local chain: deposit, trade, withdraw, claim.
 *
 *   npm run demo:deposits
 *
 * Everything is real except the money: the vault on a local chain, the exchange in deposits mode, feed, maker,
 * watcher and batcher, each a process. All of it is deleted afterwards.
 */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decimalToMicros } from '@venue/protocol';
import { VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { deployTestStablecoin, deployVault, testStablecoinAbi, venueVaultAbi } from '@venue/vault';
import { type Abi, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { startChain } from '../packages/vault/test/chain.ts';
import { DemoProcesses, says } from './demo-processes.ts';

const CONFIRMATIONS = 3;
const DEPOSIT_USD = 10_000;
const WITHDRAWAL_USD = 4_000;
/** The operator's buffer, which covers profits made from the market maker. */
const BUFFER_USD = 1_000;
const STEP_LIMIT_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'venue-demo-'));
const processes = new DemoProcesses();
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());

let steps = 0;
let chain: Awaited<ReturnType<typeof startChain>> | undefined;
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
  step('A local chain, a stablecoin with 6 decimals, and the vault');
  const { rpcUrl, chainId, vault, token } = await startMoney();
  step(
    'The exchange in deposits mode, with prices, a market maker, the watcher of deposits and the batcher of payouts',
  );
  const venue = await startVenue({ rpcUrl, chainId, vault, token });

  const wallet = walletFromPrivateKey(accounts().trader.privateKey);
  step(`A wallet, ${wallet.address}, signs in and approves a session key: its account is still empty`);
  const session = await venue.auth.approveSession(wallet);
  say(
    `cash ${usd((await venue.account.me()).cash)}; the session key ${session.sessionKey} signs from here on`,
  );

  step(`It deposits ${usd(DEPOSIT_USD)}; after ${CONFIRMATIONS} more blocks the watcher credits it`);
  await deposit(vault, token);
  await until('the deposit is credited', async () => (await venue.account.me()).cash === DEPOSIT_USD);
  say(`cash ${usd(DEPOSIT_USD)}`);

  step('It buys and sells an option, each order signed by the session key');
  await trade(venue);

  step(
    `It asks for ${usd(WITHDRAWAL_USD)} back: the cash is gone at once, and the batcher commits the payout on chain`,
  );
  await withdraw(venue, vault);

  step('It claims directly from the vault');
  await claim(vault, token);

  step('Anyone can verify the vault, and compare what the exchange owes with what it holds');
  await processes.run(['vault', 'verify', '--rpc', rpcUrl, '--file', join(folder, 'vault.json')], {});
  await processes.run(['reserves', '--rpc', rpcUrl, '--token', token], {
    VENUE_URL: venue.url,
    VENUE_VAULT_ADDRESS: vault,
    VENUE_CHAIN_ID: `${chainId}`,
  });
  console.log(
    '\nDone. docs/how-to/run-custody.md says how to run this with real money, and what to trust whom for.',
  );
}

/** The chain's accounts, by role. */
function accounts() {
  const [deployer, operator, failsafe, trader] = chain!.accounts;
  return { deployer: deployer!, operator: operator!, failsafe: failsafe!, trader: trader! };
}

async function startMoney() {
  chain = await startChain({ args: ['--block-time', '1'] });
  const { rpcUrl, chainId } = chain;
  const { deployer, operator, failsafe, trader } = accounts();
  const token = await deployTestStablecoin({ rpcUrl, deployerKey: deployer.privateKey });
  const { addresses } = await deployVault({
    rpcUrl,
    chainId,
    token,
    operator: operator.address,
    failsafe: failsafe.address,
    deployerKey: deployer.privateKey,
    out: join(folder, 'vault.json'),
    dryRun: false,
    log: say,
  });
  const { vault } = addresses!;
  await send(deployer, {
    address: token,
    abi: testStablecoinAbi,
    functionName: 'mint',
    args: [trader.address, units(DEPOSIT_USD)],
  });
  await send(deployer, {
    address: token,
    abi: testStablecoinAbi,
    functionName: 'mint',
    args: [vault, units(BUFFER_USD)],
  });
  say(
    `the operator has put ${usd(BUFFER_USD)} of its own into the vault, for profits that the market maker owes`,
  );
  return { rpcUrl, chainId, vault, token };
}

async function startVenue({
  rpcUrl,
  chainId,
  vault,
  token,
}: {
  rpcUrl: string;
  chainId: number;
  vault: Hex;
  token: Hex;
}): Promise<VenueClient> {
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
    VENUE_PORT: '0',
    VENUE_LOG: `sqlite:${join(folder, 'venue.db')}`,
    VENUE_LOG_LEVEL: 'warn',
  });
  const [, url = ''] = await says(exchange, /exchange listening on (\S+)/, STEP_LIMIT_MS);
  const money = {
    VENUE_URL: url,
    VENUE_RPC_URL: rpcUrl,
    // The chain of the demo has one node, in the same hands as everything else.
    VENUE_RPC_SINGLE: '1',
    VENUE_CHAIN_ID: `${chainId}`,
    VENUE_VAULT_ADDRESS: vault,
    VENUE_TOKEN_ADDRESS: token,
    VENUE_VAULT_FROM_BLOCK: '0',
    VENUE_CONFIRMATIONS: `${CONFIRMATIONS}`,
    VENUE_RPC_POLL_MS: '500',
  };
  processes.start('feed', { VENUE_URL: url, VENUE_FEED_TOKEN: secrets.VENUE_FEED_TOKEN! });
  processes.start('maker', { VENUE_URL: url, VENUE_MAKER_TOKEN: secrets.VENUE_MAKER_TOKEN! });
  processes.start('watcher', {
    ...money,
    VENUE_VAULT_GIFTS: `${BUFFER_USD}`,
    VENUE_DEPOSIT_TOKEN: secrets.VENUE_DEPOSIT_TOKEN!,
    VENUE_WATCHER_STATE: join(folder, 'watcher.json'),
  });
  processes.start('batcher', {
    ...money,
    VENUE_PAYOUT_TOKEN: secrets.VENUE_PAYOUT_TOKEN!,
    VENUE_BATCHER_STATE: join(folder, 'batcher.json'),
    VENUE_BATCH_INTERVAL_MS: '1000',
    VENUE_VAULT_OPERATOR_KEY: accounts().operator.privateKey,
  });
  return new VenueClient({ url });
}

async function deposit(vault: Hex, token: Hex): Promise<void> {
  const { trader } = accounts();
  const amount = units(DEPOSIT_USD);
  await send(trader, { address: token, abi: erc20Abi, functionName: 'approve', args: [vault, amount] });
  await send(trader, { address: vault, abi: venueVaultAbi, functionName: 'deposit', args: [amount] });
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

async function withdraw(venue: VenueClient, vault: Hex): Promise<void> {
  const { id, account } = await venue.withdrawals.request(WITHDRAWAL_USD);
  say(`withdrawal ${id} requested; cash ${usd(account.cash)}`);
  const committed = await until('the payout is committed', async () => {
    const payout = await venue.withdrawals.find(id);
    return payout.state === 'committed' && payout;
  });
  const owed = await chain!.client.readContract({
    address: vault,
    abi: venueVaultAbi,
    functionName: 'entitlementOf',
    args: [accounts().trader.address],
  });
  say(
    `withdrawal ${id} committed in ${committed.txHash}; the vault owes the wallet ${usd(Number(owed) / 1e6)}`,
  );
}

async function claim(vault: Hex, token: Hex): Promise<void> {
  const { trader } = accounts();
  await send(trader, { address: vault, abi: venueVaultAbi, functionName: 'claim', args: [] });
  const balance = await chain!.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [trader.address],
  });
  say(`the wallet holds ${usd(Number(balance) / 1e6)}`);
}

interface Call {
  readonly address: Hex;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** Sends a call and waits until it is mined; throws when it failed. */
async function send(from: ReturnType<typeof accounts>['trader'], call: Call): Promise<void> {
  const data = encodeFunctionData(call);
  const hash = await chain!.wallet(from).sendTransaction({ to: call.address, data });
  const { status, blockNumber } = await chain!.client.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`${call.functionName} failed in block ${blockNumber}`);
  say(`${call.functionName}: block ${blockNumber}`);
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

function units(usdAmount: number): bigint {
  return BigInt(decimalToMicros(usdAmount)!);
}

function step(text: string): void {
  steps += 1;
  console.log(`\n${steps}. ${text}`);
}

function say(line: string): void {
  console.log(`   ${line}`);
}

function usd(amount: number): string {
  return `${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })} USD`;
}
