/** A chain with a vault behind a gate, an exchange, and checkers that look at both. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@venue/config';
import { type Exchange, loadConfig, startExchange } from '@venue/exchange';
import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { testStablecoinAbi, type VaultAddresses, venueVaultAbi } from '@venue/vault';
import { encodeFunctionData, numberToHex } from 'viem';
import { sharedVerifier } from '../../exchange/test/shared-verifier.ts';
import { type OpenSession, openSession, Session, Venue } from '../../exchange/test/support.ts';
import type { Hash } from '../../vault/src/chain/parse.ts';
import type { GateRequest } from '../../vault/src/contract/gate-terms.ts';
import { deployVault } from '../../vault/src/deploy/deploy.ts';
import { deployTestStablecoin } from '../../vault/src/deploy/test-stablecoin.ts';
import { type GatePayout, gateBatchId, proposeCall } from '../../vault/src/gate/calls.ts';
import type { Gate } from '../../vault/src/gate/gate.ts';
import { openGate } from '../../vault/src/gate/open.ts';
import { accountAt, type LocalAccount, type LocalChain, startChain } from '../../vault/test/chain.ts';
import { GATE, guardians, proposers } from '../../vault/test/gate.ts';
import { EXCHANGE_ENV, OPERATOR_TOKEN } from '../../vault/test/world.ts';
import { loadCheckerConfig } from '../src/config.ts';
import { runChecker } from '../src/run.ts';

export const USD = 1_000_000n;
export const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
const SETTLERS = {
  headers: {
    'x-settle-token-1': EXCHANGE_ENV.VENUE_SETTLE_TOKEN_1!,
    'x-settle-token-2': EXCHANGE_ENV.VENUE_SETTLE_TOKEN_2!,
  },
};
const LIMIT_MS = 120_000;
const deployer = accountAt(0);

export interface GateWorldOptions {
  readonly terms?: Partial<GateRequest>;
  /** Further variables of the exchange. */
  readonly env?: Environment;
}

export interface CheckedOptions {
  /** Another copy of the log. */
  readonly log?: string;
  /** Further variables of the checker. */
  readonly env?: Environment;
}

/** True once a line of a checker matches. */
export const says = (lines: readonly string[], text: RegExp) => () => lines.some((line) => text.test(line));

/** Waits for something that a checker does. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  lines: readonly string[] = [],
): Promise<void> {
  const from = performance.now();
  while (!(await holds())) {
    assert.ok(performance.now() - from < LIMIT_MS, `not within two minutes:\n${lines.join('\n')}`);
    await sleep(20);
  }
}

export class GateWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'venue-checker-'));
  readonly copy = `sqlite:${join(this.folder, 'log.db')}`;
  readonly file = join(this.folder, 'vault.json');
  readonly chain: LocalChain;
  exchange!: Exchange;
  venue!: Venue;
  readonly addresses!: VaultAddresses;
  readonly gate!: Gate;
  alice!: OpenSession;
  epoch = 0;
  #batches = 0;

  /** With 10,000 dollars of alice in vault and ledger. */
  static async start({ terms = {}, env = {} }: GateWorldOptions = {}): Promise<GateWorld> {
    const chain = await startChain({ accounts: 20 });
    const world = new GateWorld(chain);
    const token = await deployTestStablecoin({ rpcUrl: chain.rpcUrl, deployerKey: deployer.privateKey });
    const deployment = { rpcUrl: chain.rpcUrl, token, failsafe: accountAt(2).address, out: world.file };
    const roles = { operator: { ...GATE, ...terms }, deployerKey: deployer.privateKey };
    const deployed = await deployVault({ ...deployment, ...roles, dryRun: false, log: () => {} });
    const { gate } = await openGate(world.file, [chain.rpcUrl]);
    Object.assign(world, { addresses: deployed.addresses!, gate });
    await world.startExchange(env);
    world.alice = await openSession(world.venue, accountAt(1));
    await world.paidIn(10_000n);
    return world;
  }

  private constructor(chain: LocalChain) {
    this.chain = chain;
  }

  async startExchange(env: Environment = {}): Promise<void> {
    this.exchange = await startExchange(loadConfig({ ...EXCHANGE_ENV, VENUE_LOG: this.copy, ...env }));
    this.venue = new Venue(this.exchange.url);
  }

  async stop(): Promise<void> {
    await this.exchange.stop();
    await this.chain.stop();
    rmSync(this.folder, { recursive: true });
  }

  async act(to: Hex, data: Hex, by: LocalAccount): Promise<void> {
    const hash = await this.chain.wallet(by).sendTransaction({ to, data });
    const { status } = await this.chain.client.waitForTransactionReceipt({ hash });
    assert.equal(status, 'success');
  }

  /** Deposits on chain, and reports the log as a watcher would. */
  async paidIn(usd: bigint, by = accountAt(1), place: object = {}): Promise<void> {
    const { vault, token } = this.addresses;
    const amount = usd * USD;
    const call = (functionName: 'mint' | 'approve', args: readonly [Address, bigint]) =>
      encodeFunctionData({ abi: testStablecoinAbi, functionName, args });
    await this.act(token, call('mint', [by.address as Address, amount]), deployer);
    await this.act(token, call('approve', [parseAddress(vault)!, amount]), by);
    await this.act(
      vault,
      encodeFunctionData({ abi: venueVaultAbi, functionName: 'deposit', args: [amount] }),
      by,
    );
    const [log] = await this.chain.client.getLogs({ address: vault, fromBlock: 'latest' });
    await this.chain.client.mine({ blocks: 1 });
    const { transactionHash: txHash, logIndex, blockNumber, blockHash } = log!;
    await this.report(Number(amount), {
      ...place,
      address: by.address,
      txHash: txHash!,
      logIndex: logIndex!,
      blockNumber: Number(blockNumber),
      blockHash: blockHash!,
    });
  }

  async report(amount: number, log: object): Promise<void> {
    const deposit = { address: this.alice.account, amount, ...log };
    const { status, body } = await this.venue.post('/v1/deposit', deposit, OPERATOR);
    assert.equal(status, 200, JSON.stringify(body));
  }

  async withdraw(usd: number, by: Session = this.alice): Promise<GatePayout> {
    const { status, body } = await this.venue.post('/v1/withdraw', await by.withdraw(usd));
    assert.equal(status, 200, JSON.stringify(body));
    const id = BigInt(this.epoch) * 2n ** 40n + BigInt(body.id);
    return { id, account: parseAddress(by.account)!, amount: BigInt(usd) * USD };
  }

  /** Acts as an operator, or as somebody with the operator's tokens. */
  async operate(path: string, body: object): Promise<void> {
    const posted = { reason: 'why not', ...body };
    const answer = await this.venue.post(`/v1/operator/${path}`, posted, OPERATOR);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }

  /** Chain and vault, as a deposit into a bound ledger names them. */
  get place() {
    return { chainId: this.chain.chainId, vault: this.addresses.vault };
  }

  async bind(terms: object): Promise<void> {
    const past = { paidBeforeUsd: 0, depositedBeforeUsd: 0, funder: null };
    const body = { ...this.place, ...past, ...terms };
    const answer = await this.venue.post('/v1/operator/vault', body, SETTLERS);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }

  async propose(...payouts: GatePayout[]): Promise<Hash> {
    return this.proposeBy(proposers[0], ...payouts);
  }

  async proposeBy(proposer: LocalAccount, ...payouts: GatePayout[]): Promise<Hash> {
    const batchId = numberToHex(++this.#batches, { size: 32 });
    await this.act(this.gate.address, proposeCall(batchId, payouts), proposer);
    return gateBatchId(batchId, payouts);
  }

  /** True if the checker has voted against this. */
  async isOpposed(id: Hash): Promise<boolean> {
    return (await this.gate.votesAgainst(id)) > 0;
  }

  async isPaused(): Promise<boolean> {
    const { timestamp } = await this.chain.client.getBlock();
    return (await this.gate.pausedUntil()) >= Number(timestamp);
  }

  async later(seconds: number): Promise<void> {
    await this.chain.client.increaseTime({ seconds });
    await this.chain.client.mine({ blocks: 1 });
  }

  /** Parks an approval, which somebody with the attestor's secret attests at the newest block. */
  async attested(address: Address, owner: number) {
    const key = accountAt(owner);
    const terms = { address, sessionKey: key.address, expiresAt: Date.now() + 3_600_000, signature: '0x' };
    const { body: parked } = await this.venue.post('/v1/auth/session/contract', terms);
    const { number, hash } = await this.chain.client.getBlock();
    const block = { chainId: this.chain.chainId, blockNumber: Number(number), blockHash: hash };
    const answer = { id: parked.id, verdict: 'valid', ...block };
    const { status } = await this.venue.post('/v1/operator/parked/attest', answer, OPERATOR);
    assert.equal(status, 200);
    return { id: parked.id as number, session: new Session(address, key) };
  }

  /** One sells an option to the other, for cash at so much a contract. */
  async trade({ seller, buyer, price = 500 }: { seller: Session; buyer: Session; price?: number }) {
    await this.venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    const { seriesId } = await this.venue.listed('BTC');
    assert.equal((await this.venue.post('/v1/margin', await seller.margin(true))).status, 200);
    for (const [session, side] of [
      [seller, 'sell'],
      [buyer, 'buy'],
    ] as const) {
      const order = await session.order({ seriesId, side, qty: 0.001, price });
      const { status, body } = await this.venue.post('/v1/order', order);
      assert.equal(status, 200, JSON.stringify(body));
    }
  }

  /** Runs a checker while the work is done. */
  async checked(
    work: (lines: string[]) => Promise<void>,
    { log = this.copy, env = {} }: CheckedOptions = {},
  ): Promise<void> {
    const stop = new AbortController();
    const lines: string[] = [];
    const verifier = await sharedVerifier();
    const config = loadCheckerConfig({
      VENUE_CHECKER_LOG: log,
      VENUE_CHECKER_STATE: join(this.folder, 'checker.json'),
      VENUE_VAULT_DEPLOYMENT: this.file,
      VENUE_RPC_URL: this.chain.rpcUrl,
      VENUE_RPC_SINGLE: '1',
      VENUE_CONFIRMATIONS: '1',
      VENUE_RPC_POLL_MS: '20',
      VENUE_GUARDIAN_KEY: guardians[0].privateKey,
      ...env,
    });
    const ended = runChecker({ config, signal: stop.signal, log: (line) => lines.push(line), verifier });
    try {
      await Promise.race([work(lines), ended.then(() => assert.fail('it ended'))]);
    } finally {
      stop.abort();
      await ended;
    }
  }
}
