/** The chain as deployment and verification use it: every failure is one line without the server's address. */

import { BaseError, createPublicClient, http, type PublicClient } from 'viem';
import { maskOf } from '../chain/rpc.ts';
import { VaultDeployError } from '../contract/deploy-error.ts';

const TIMEOUT_MS = 20_000;
const POLL_MS = 1_000;
const ANY_URL = /\bhttps?:\/\/[^\s"']+/g;

export interface DeployClient {
  readonly chain: PublicClient;
  /** The part of the server's address that may be shown, because the rest may hold a key. */
  readonly host: string;
  /** The chain's id, read once. */
  readonly chainId: number;
  /**
   * Makes a call, and throws a `VaultDeployError` that says what was requested and why it failed, without the
   * server's key.
   */
  readonly asked: Asked;
}

type Asked = <T>(what: string, answer: Promise<T>) => Promise<T>;

/** Throws `VaultDeployError` if nothing answers, or the chain is not the one that was named. */
export async function openDeployClient(rpcUrl: string, chainId?: number): Promise<DeployClient> {
  const host = hostOf(rpcUrl);
  const transport = http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 1 });
  const chain: PublicClient = createPublicClient({ transport, pollingInterval: POLL_MS });
  const asked = askerOf(rpcUrl);
  const found = await asked(`no chain answers at ${host}: check the RPC address`, chain.getChainId());
  if (chainId !== undefined && found !== chainId)
    throw new VaultDeployError(
      `${host} serves chain ${found}, not ${chainId}: set the RPC address of that chain`,
    );
  return { chain, host, chainId: found, asked };
}

function askerOf(rpcUrl: string): Asked {
  const masked = maskOf(rpcUrl);
  return async (what, answer) => {
    try {
      return await answer;
    } catch (error) {
      throw new VaultDeployError(`${what} (${masked(reasonOf(error))})`);
    }
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? withoutUrls(error.message) : 'unknown';
  const cause = error.walk();
  const details = cause instanceof BaseError ? cause.details || cause.shortMessage : cause?.message;
  return withoutUrls(details || error.shortMessage);
}

function withoutUrls(text: string): string {
  return text.replace(ANY_URL, '<rpc>').replaceAll(/\s+/g, ' ').trim();
}

function hostOf(rpcUrl: string): string {
  const url = URL.parse(rpcUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new VaultDeployError('the RPC address must be an http:// or https:// address');
  return url.host;
}
