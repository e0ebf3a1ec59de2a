/**
 * A venue with real money for browsers: a chain with a vault, and exchange, watcher and batcher as separate processes.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployTestStablecoin, deployVault, testStablecoinAbi, venueVaultAbi } from '@venue/vault';
import { type Abi, createTestClient, erc20Abi, type Hex, http } from 'viem';
import { type Compiled, compileContracts } from '../../packages/vault/scripts/solidity.ts';
import { type LocalAccount, type LocalChain, startChain } from '../../packages/vault/test/chain.ts';
import { Launched } from '../e2e/launched.ts';
import { type LocalTerminal, startTerminal } from './browser.ts';

export const CONFIRMATIONS = 3;
export const TRADER_USD = 10_000;
export const OPERATOR_TOKEN = 'operator-secret-operator-secret-operator';
const SECRETS = {
  VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
  VENUE_MAKER_TOKEN: 'maker-secret-maker-secret-maker-secret',
  VENUE_FEED_TOKEN: 'feed-secret-feed-secret-feed-secret',
  VENUE_SETTLE_TOKEN_1: 'settle-secret-one-settle-secret-one',
  VENUE_SETTLE_TOKEN_2: 'settle-secret-two-settle-secret-two',
};

export class MoneyVenue {
  readonly chain: LocalChain;
  readonly token: Hex;
  readonly vault: Hex;
  readonly url: string;
  readonly #ends: (() => void)[];

  private constructor(parts: Pick<MoneyVenue, 'chain' | 'token' | 'vault' | 'url'>, ends: (() => void)[]) {
    this.chain = parts.chain;
    this.token = parts.token;
    this.vault = parts.vault;
    this.url = parts.url;
    this.#ends = ends;
  }

  /** Owns `TRADER_USD` in tokens, and ether for gas. */
  get trader(): LocalAccount {
    return this.chain.accounts[3]!;
  }

  /** Stablecoin balance in micros. */
  balanceOf(address: Hex): Promise<bigint> {
    const call = { address: this.token, abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const;
    return this.chain.client.readContract(call);
  }

  /** A deposit from an address that never signed in. */
  async depositAsStranger(micros: bigint): Promise<LocalAccount> {
    const stranger = this.chain.accounts[4]!;
    const token = { address: this.token, abi: testStablecoinAbi } as const;
    const send = async (call: { address: Hex; abi: Abi; functionName: string; args: readonly unknown[] }) => {
      const hash = await this.chain.wallet(stranger).writeContract(call);
      await this.chain.client.waitForTransactionReceipt({ hash });
    };
    await send({ ...token, functionName: 'mint', args: [stranger.address, micros] });
    await send({ ...token, functionName: 'approve', args: [this.vault, micros] });
    await send({ address: this.vault, abi: venueVaultAbi, functionName: 'deposit', args: [micros] });
    return stranger;
  }

  /** The token becomes one that changes no allowance but from or to zero, and the trader has allowed the vault this much. */
  async makeTokenReset(allowed: bigint): Promise<void> {
    const source = new Map([['ResettingToken', 'contracts/test/HostileTokens.sol']]);
    const [{ deployedBytecode }] = compileContracts(source) as [Compiled];
    const code = { address: this.token, bytecode: deployedBytecode as Hex };
    await createTestClient({ mode: 'anvil', transport: http(this.chain.rpcUrl) }).setCode(code);
    const args = [this.vault, allowed] as const;
    const hash = await this.chain
      .wallet(this.trader)
      .writeContract({ address: this.token, abi: erc20Abi, functionName: 'approve', args });
    await this.chain.client.waitForTransactionReceipt({ hash });
  }

  async end(): Promise<void> {
    for (const end of this.#ends.toReversed()) end();
    await this.chain.stop();
  }

  /** Starts everything; `words` are additional processes of the venue, such as its feed. */
  static async start(words: readonly string[] = []): Promise<MoneyVenue> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-money-'));
    const ends = [() => rmSync(folder, { recursive: true, force: true })];
    const chain = await startChain({ args: ['--block-time', '1'] });
    try {
      const { token, vault } = await deploy(chain, folder);
      const venue = await startExchange(folder);
      ends.push(() => venue.end());
      const env = daemonEnv({ url: venue.url, chain, token, vault, folder });
      for (const word of ['watcher', 'batcher', ...words]) {
        const daemon = new Launched([word], { env });
        ends.push(() => daemon.end());
      }
      return new MoneyVenue({ chain, token, vault, url: venue.url }, ends);
    } catch (error) {
      for (const end of ends.toReversed()) end();
      await chain.stop();
      throw error;
    }
  }
}

async function deploy(chain: LocalChain, folder: string): Promise<{ token: Hex; vault: Hex }> {
  const { rpcUrl, chainId } = chain;
  const [deployer, operator, failsafe, trader] = chain.accounts as [LocalAccount, ...LocalAccount[]];
  const token = await deployTestStablecoin({ rpcUrl, deployerKey: deployer.privateKey });
  const { addresses } = await deployVault({
    rpcUrl,
    chainId,
    token,
    operator: operator!.address,
    failsafe: failsafe!.address,
    deployerKey: deployer.privateKey,
    out: join(folder, 'vault.json'),
    dryRun: false,
    log: () => {},
  });
  const args = [trader!.address, BigInt(TRADER_USD * 1e6)] as const;
  const mint = { address: token, abi: testStablecoinAbi, functionName: 'mint', args } as const;
  const hash = await chain.wallet(deployer).writeContract(mint);
  await chain.client.waitForTransactionReceipt({ hash });
  return { token, vault: addresses!.vault };
}

/** The exchange, configured with the vault. */
async function startExchange(folder: string): Promise<LocalTerminal> {
  const file = join(folder, 'vault.json');
  const deployment = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...deployment, confirmations: CONFIRMATIONS }));
  return startTerminal('exchange', {
    ...SECRETS,
    VENUE_FUNDING_MODE: 'deposits',
    VENUE_TERMINAL_VAULT: file,
    VENUE_LOG_LEVEL: 'warn',
  });
}

interface Money {
  readonly url: string;
  readonly chain: LocalChain;
  readonly token: Hex;
  readonly vault: Hex;
  readonly folder: string;
}

function daemonEnv({ url, chain, token, vault, folder }: Money): Record<string, string> {
  return {
    ...SECRETS,
    VENUE_URL: url,
    VENUE_RPC_URL: chain.rpcUrl,
    VENUE_RPC_SINGLE: '1',
    VENUE_CHAIN_ID: `${chain.chainId}`,
    VENUE_VAULT_ADDRESS: vault,
    VENUE_TOKEN_ADDRESS: token,
    VENUE_VAULT_FROM_BLOCK: '0',
    VENUE_CONFIRMATIONS: `${CONFIRMATIONS}`,
    VENUE_RPC_POLL_MS: '300',
    VENUE_WATCHER_STATE: join(folder, 'watcher.json'),
    VENUE_BATCHER_STATE: join(folder, 'batcher.json'),
    VENUE_BATCH_INTERVAL_MS: '500',
    VENUE_VAULT_OPERATOR_KEY: chain.accounts[1]!.privateKey,
  };
}
