/** A chain with a vault, an exchange of real money beside it, and wallets on both. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@venue/config';
import { type Exchange, loadConfig, startExchange } from '@venue/exchange';
import { openMemoryLog } from '@venue/log';
import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { encodeFunctionData } from 'viem';
import { sharedVerifier } from '../../exchange/test/shared-verifier.ts';
import { runAttestor } from '../src/attestor/run.ts';
import { runBatcher } from '../src/batcher/run.ts';
import { Chain } from '../src/chain/chain.ts';
import type { Hash } from '../src/chain/parse.ts';
import { Rpc } from '../src/chain/rpc.ts';
import { testStablecoinAbi, venueVaultAbi } from '../src/contract/abi.ts';
import { testStablecoinArtifact, vaultArtifact } from '../src/contract/artifact.ts';
import { type GateRequest, gateCreation, gateTermsOf, madeBy } from '../src/contract/gate-terms.ts';
import { loadAttestorConfig, loadBatcherConfig, loadWatcherConfig } from '../src/daemon/config.ts';
import { Vault } from '../src/events/vault.ts';
import { checkReserves } from '../src/reserves/reserves.ts';
import { runWatcher } from '../src/watcher/run.ts';
import { type ChainOptions, type LocalAccount, startChain } from './chain.ts';

export const OPERATOR_TOKEN = 'operator-secret-operator-secret-operator';
export const CONFIRMATIONS = 3;
const LIMIT_MS = 60_000;
export const EXCHANGE_ENV: Environment = {
  VENUE_PORT: '0',
  VENUE_LOG_LEVEL: 'silent',
  VENUE_FUNDING_MODE: 'deposits',
  VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
  VENUE_FEED_TOKEN: 'feed-secret-feed-secret-feed-secret',
  VENUE_MAKER_TOKEN: 'maker-secret-maker-secret-maker-secret',
  VENUE_SETTLE_TOKEN_1: 'settle-secret-one-settle-secret-one',
  VENUE_SETTLE_TOKEN_2: 'settle-secret-two-settle-secret-two',
};

/** A daemon that runs in this process, and its log lines. */
export interface Daemon {
  readonly lines: string[];
  readonly steps: string[];
  /** The error that ended it; fails if it keeps running. */
  dies(): Promise<Error>;
  /** Resolves with the error that had ended it, or undefined. */
  stop(): Promise<Error | undefined>;
}

export interface Trader {
  readonly wallet: LocalAccount;
  readonly address: Address;
  venue: VenueClient;
}

export class World {
  readonly chain: Awaited<ReturnType<typeof startChain>>;
  readonly exchange: Exchange;
  readonly venue: VenueClient;
  readonly token: Address;
  readonly vault: Address;
  readonly folder = mkdtempSync(join(tmpdir(), 'venue-custody-'));
  readonly #daemons: Daemon[] = [];

  constructor(parts: Pick<World, 'chain' | 'exchange' | 'token' | 'vault'>) {
    this.chain = parts.chain;
    this.exchange = parts.exchange;
    this.token = parts.token;
    this.vault = parts.vault;
    this.venue = new VenueClient({ url: this.exchange.url });
  }

  get operator(): LocalAccount {
    return this.chain.accounts[0]!;
  }

  get custody() {
    return this.venue.custody(OPERATOR_TOKEN);
  }

  /** The daemons' environment, with shorter delays than in production. */
  env(changes: Environment = {}): Environment {
    return {
      VENUE_URL: this.exchange.url,
      VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
      VENUE_RPC_URL: this.chain.rpcUrl,
      VENUE_RPC_SINGLE: '1',
      VENUE_CHAIN_ID: String(this.chain.chainId),
      VENUE_VAULT_ADDRESS: this.vault,
      VENUE_TOKEN_ADDRESS: this.token,
      VENUE_VAULT_FROM_BLOCK: '1',
      VENUE_CONFIRMATIONS: String(CONFIRMATIONS),
      VENUE_RPC_POLL_MS: '20',
      VENUE_BATCH_INTERVAL_MS: '20',
      VENUE_WATCHER_STATE: join(this.folder, 'watcher.json'),
      VENUE_BATCHER_STATE: join(this.folder, 'batcher.json'),
      VENUE_VAULT_OPERATOR_KEY: this.operator.privateKey,
      ...changes,
    };
  }

  watch(changes: Environment = {}): Daemon {
    return this.#run(runWatcher, loadWatcherConfig(this.env(changes)));
  }

  pay(changes: Environment = {}): Daemon {
    return this.#run(runBatcher, loadBatcherConfig(this.env(changes)));
  }

  attest(changes: Environment = {}): Daemon {
    return this.#run(runAttestor, loadAttestorConfig(this.env(changes)));
  }

  #run<C>(
    run: (options: {
      config: C;
      signal: AbortSignal;
      log: (line: string) => void;
      onStep: (step: string) => void;
    }) => Promise<void>,
    config: C,
  ): Daemon {
    const stop = new AbortController();
    const lines: string[] = [];
    const steps: string[] = [];
    const ended = run({
      config,
      signal: stop.signal,
      log: (line) => lines.push(line),
      onStep: (step) => steps.push(step),
    }).then(
      () => undefined,
      (error: Error) => error,
    );
    const daemon = {
      lines,
      steps,
      dies: async () => {
        const error = await Promise.race([ended, sleep(LIMIT_MS, undefined, { ref: false })]);
        return error ?? assert.fail(`it goes on:\n${lines.join('\n')}`);
      },
      stop: () => {
        stop.abort();
        return ended;
      },
    };
    this.#daemons.push(daemon);
    return daemon;
  }

  /** A wallet with tokens that may go to the vault, signed in with a session key unless it is to be a stranger. */
  async trader(index: number, { isKnown = true } = {}): Promise<Trader> {
    const wallet = this.chain.accounts[index]!;
    const venue = new VenueClient({ url: this.exchange.url });
    if (isKnown) await venue.auth.approveSession(wallet);
    const client = this.chain.wallet(wallet);
    const token = { address: this.token, abi: testStablecoinAbi } as const;
    await client.writeContract({ ...token, functionName: 'mint', args: [wallet.address, 10n ** 18n] });
    const args = [this.vault, 2n ** 255n] as const;
    await this.mined(await client.writeContract({ ...token, functionName: 'approve', args }));
    return { wallet, address: parseAddress(wallet.address)!, venue };
  }

  /** Makes a deposit, and waits until it is in a block unless automatic mining is off. */
  async deposit({ wallet }: Trader, micros: number | bigint, { isMined = true } = {}): Promise<Hex> {
    const hash = await this.chain.wallet(wallet).writeContract({
      address: this.vault,
      abi: venueVaultAbi,
      functionName: 'deposit',
      args: [BigInt(micros)],
    });
    if (isMined) await this.mined(hash);
    return hash;
  }

  /** Waits until a transaction is in a block. */
  mined(hash: Hex) {
    return this.chain.client.waitForTransactionReceipt({ hash });
  }

  async send(signed: Hex): Promise<void> {
    await this.mined(await this.chain.client.sendRawTransaction({ serializedTransaction: signed }));
  }

  /** A signed deposit that is not sent, at the wallet's next nonce. */
  async signedDeposit({ wallet }: Trader, micros: number): Promise<Hex> {
    const client = this.chain.wallet(wallet);
    const data = encodeFunctionData({ abi: venueVaultAbi, functionName: 'deposit', args: [BigInt(micros)] });
    const request = await client.prepareTransactionRequest({ to: this.vault, data, gas: 200_000n });
    return client.signTransaction(request);
  }

  async claim({ wallet }: Trader): Promise<void> {
    const hash = await this.chain
      .wallet(wallet)
      .writeContract({ address: this.vault, abi: venueVaultAbi, functionName: 'claim' });
    await this.chain.client.waitForTransactionReceipt({ hash });
  }

  /** Mines blocks on top, so that everything before them is confirmed. */
  async confirm(blocks = CONFIRMATIONS): Promise<void> {
    await this.chain.client.mine({ blocks });
  }

  async cashMicros({ venue }: Trader): Promise<number> {
    return Math.round((await venue.account.me()).cash * 1e6);
  }

  entitlement({ address }: Trader): Promise<bigint> {
    return this.chain.client.readContract({
      address: this.vault,
      abi: venueVaultAbi,
      functionName: 'entitlementOf',
      args: [address],
    });
  }

  /** Waits until the trader's cash is the given amount. */
  async hasCash(trader: Trader, micros: number): Promise<void> {
    await eventually(`cash of ${micros}`, async () => (await this.cashMicros(trader)) === micros);
  }

  /** The reserves at a block of the chain. */
  async reservesAt(blockNumber: number) {
    const vault = new Vault(new Chain(new Rpc({ url: this.chain.rpcUrl })), this.vault);
    return checkReserves(await this.venue.market.reserves(), await vault.figures(blockNumber));
  }

  /** Ids of every payout ever committed on chain, with repetitions if there were any. */
  async committed(): Promise<{ id: number; account: Address; amount: bigint; txHash: Hash }[]> {
    const logs = await this.chain.client.getContractEvents({
      address: this.vault,
      abi: venueVaultAbi,
      eventName: 'PayoutCommitted',
      fromBlock: 0n,
      strict: true,
    });
    return logs.map(({ args: { payoutId, account, amount }, transactionHash }) => ({
      id: Number(payoutId),
      account: parseAddress(account)!,
      amount,
      txHash: transactionHash as Hash,
    }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#daemons.map((daemon) => daemon.stop()));
    await this.exchange.stop();
    await this.chain.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A world for one test. `changes` are variables of its exchange. */
export async function worldOf(
  t: TestContext,
  options: ChainOptions = {},
  changes: Environment = {},
  gate?: GateRequest,
): Promise<World> {
  const world = await startWorld(options, changes, gate);
  t.after(() => world.stop());
  return world;
}

/** Starts chain and exchange, and deploys token and vault, with a gate if its terms are given. */
export async function startWorld(
  options: ChainOptions = {},
  changes: Environment = {},
  gate?: GateRequest,
): Promise<World> {
  const chain = await startChain({ accounts: 24, ...options });
  const [operator, failsafe] = chain.accounts;
  const wallet = chain.wallet(operator!);
  const deployed = async (hash: Hex): Promise<Address> => {
    const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash });
    assert(contractAddress);
    return parseAddress(contractAddress)!;
  };
  const { abi, bytecode } = testStablecoinArtifact;
  const token = await deployed(await wallet.deployContract({ abi, bytecode, args: [] }));
  const vaultBehindGate = async (request: GateRequest) => {
    const data = gateCreation(token, gateTermsOf(request, failsafe!.address));
    return parseAddress(madeBy(await deployed(await wallet.sendTransaction({ data }))).vault)!;
  };
  const args = [token, operator!.address, failsafe!.address];
  const vault =
    gate === undefined
      ? await deployed(await wallet.deployContract({ ...vaultArtifact, args }))
      : await vaultBehindGate(gate);
  const log = await openMemoryLog();
  const config = loadConfig({ ...EXCHANGE_ENV, ...changes });
  const verifier = await sharedVerifier();
  const exchange = await startExchange(config, { log, verifier }).catch(async (error: Error) => {
    await chain.stop();
    throw error;
  });
  return new World({ chain, exchange, token, vault });
}

/** Waits until a probe is true; fails after the limit. */
export async function eventually(
  what: string,
  probe: () => boolean | Promise<boolean>,
  limitMs = LIMIT_MS,
): Promise<void> {
  const untilMs = performance.now() + limitMs;
  while (!(await probe())) {
    if (performance.now() > untilMs) assert.fail(`never: ${what}`);
    await sleep(15);
  }
}
