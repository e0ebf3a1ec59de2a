/**
 * A local chain for tests: one anvil of its own on a free port.
 *
 *   const chain = await startChain();
 *   await chain.client.mine({ blocks: 3 });
 *   await chain.stop();
 */

import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { pbkdf2Sync } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Chain,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  type PrivateKeyAccount,
  publicActions,
  toHex,
} from 'viem';
import { HDKey, hdKeyToAccount, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { foundryProgram } from './foundry.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/;
const START_MS_MAX = 90_000;
const STOP_MS_MAX = 60_000;
/**
 * The shell becomes anvil. Beside it a reader waits, and ends it when this process closes the input, as happens even
 * when it is killed. So no anvil outlives its test.
 */
const KEEPER = 'exec 3<&0; (read _ <&3; kill $$) >/dev/null 2>&1 & exec "$0" "$@" </dev/null 3<&-';

export interface ChainOptions {
  readonly chainId?: number;
  /** A fixed port, to restart a chain at the same address; a free one by default. */
  readonly port?: number;
  /** Accounts with 10,000 ether each; by default 10. */
  readonly accounts?: number;
  /** Further arguments for anvil, such as `['--no-mining']` or `['--state', path]`. */
  readonly args?: readonly string[];
}

export type LocalChain = Awaited<ReturnType<typeof startChain>>;
export type LocalAccount = PrivateKeyAccount & { readonly privateKey: Hex };

/** Starts a chain that mines every transaction immediately, and waits until it answers. */
export async function startChain(options: ChainOptions = {}) {
  const child = spawnAnvil(options);
  const port = await listening(child);
  const rpcUrl = `http://127.0.0.1:${port}`;
  const chainId = options.chainId ?? foundry.id;
  const chain: Chain = { ...foundry, id: chainId, rpcUrls: { default: { http: [rpcUrl] } } };
  const transport = http(rpcUrl, { retryCount: 0 });
  /** Reads and anvil's own calls: `mine`, `setBalance`, `snapshot`, `revert`, `getLogs`, ... */
  // Without a cache: a number that is kept for a moment is one too low once the next block is mined.
  const parameters = { mode: 'anvil', chain, transport, pollingInterval: 20, cacheTime: 0 } as const;
  const client = createTestClient(parameters).extend(publicActions);
  await client.getChainId();
  return {
    rpcUrl,
    port,
    chain,
    chainId,
    client,
    accounts: Array.from({ length: options.accounts ?? 10 }, (_, index) => accountAt(index)),
    /** A client that signs with an account and sends to this chain. */
    wallet: (account: PrivateKeyAccount) =>
      createWalletClient({ account, chain, transport, pollingInterval: 20 }),
    /**
     * Replaces the last `depth` blocks with as many others. They are empty except for `transactions`: pairs of a
     * signed transaction and the number, from 0, of the new block it goes into.
     */
    reorg: async (depth: number, transactions: readonly (readonly [Hex, number])[] = []): Promise<void> => {
      await rpc(rpcUrl, 'anvil_reorg', [depth, transactions]);
    },
    /** Ends this anvil and no other; may be called again. */
    stop: () => stopProcess(child),
  };
}

function spawnAnvil(options: ChainOptions): ChildProcessWithoutNullStreams {
  const { chainId = foundry.id, port = 0, accounts = 10, args = [] } = options;
  const fixed = ['--host', '127.0.0.1', '--mnemonic', MNEMONIC, '--hardfork', 'cancun'];
  const words = [
    ...fixed,
    '--port',
    `${port}`,
    '--chain-id',
    `${chainId}`,
    '--accounts',
    `${accounts}`,
    ...args,
  ];
  return spawn('sh', ['-c', KEEPER, foundryProgram('anvil'), ...words]);
}

/** Resolves with the port once anvil prints it; later output is discarded. */
async function listening(child: ChildProcessWithoutNullStreams): Promise<number> {
  let output = '';
  const found = new Promise<number>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 100_000) output += text;
      const port = LISTENING.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < 100_000) output += text;
  });
  const failed = Promise.race([
    once(child, 'exit').then(() => 'ended'),
    delay(START_MS_MAX, 'said nothing of its port', { ref: false }),
  ]);
  const port = await Promise.race([found, failed]);
  if (typeof port === 'number') return port;
  await stopProcess(child);
  throw new Error(`anvil ${port}: ${output.trim().split('\n').at(-1) ?? ''}`);
}

async function stopProcess(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await gone;
  clearTimeout(timer);
  child.stdin.destroy();
}

/** viem would take a third of a second to derive this for each account. */
const SEED = pbkdf2Sync(MNEMONIC, 'mnemonic', 2_048, 64, 'sha512');
const MASTER_KEY = HDKey.fromMasterSeed(SEED);
const known = new Map<number, LocalAccount>();

/** The account with that number among those that anvil funds. */
export function accountAt(index: number): LocalAccount {
  const account = known.get(index) ?? deriveAccount(index);
  known.set(index, account);
  return account;
}

function deriveAccount(index: number): LocalAccount {
  const { privateKey } = hdKeyToAccount(MASTER_KEY, { addressIndex: index }).getHdKey();
  assert(privateKey !== null);
  const hex = toHex(privateKey);
  return Object.assign(privateKeyToAccount(hex), { privateKey: hex });
}

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
