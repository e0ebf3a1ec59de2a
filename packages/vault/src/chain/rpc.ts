/** One JSON-RPC server. Every request has a time limit, and the address, which may hold a key, is never shown. */

import type { Hex } from '@venue/protocol';
import { BaseError, isHex, RpcRequestError } from 'viem';
import { getHttpRpcClient } from 'viem/utils';
import { ChainError, RpcRefusal } from './errors.ts';

export interface RpcOptions {
  readonly url: string;
  /** Ends requests in flight. */
  readonly signal?: AbortSignal;
  /** Time limit of one request; by default 15 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/** Most requests in flight when many are made together. */
const PARALLEL = 8;
const REASON_LENGTH_MAX = 200;

export class Rpc {
  /** The part of the address that may be shown. */
  readonly host: string;
  readonly #client: ReturnType<typeof getHttpRpcClient>;
  readonly #masked: (text: string) => string;

  /** Throws `TypeError` for an invalid address. */
  constructor({ url, signal, timeoutMs = TIMEOUT_MS }: RpcOptions) {
    this.host = new URL(url).host;
    this.#masked = maskOf(url);
    this.#client = getHttpRpcClient(url, {
      timeout: timeoutMs,
      maxResponseBodySize: ANSWER_BYTES_MAX,
      ...(signal !== undefined && { fetchOptions: { signal } }),
    });
  }

  /** The result of one call; throws `RpcRefusal` for an error in the answer and `ChainError` without an answer. */
  async call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    let answer: unknown;
    try {
      answer = await this.#client.request({ body: { method, params } });
    } catch (error) {
      throw this.#failure(method, error);
    }
    if (typeof answer !== 'object' || answer === null) throw new ChainError(`${method}: no JSON-RPC answer`);
    const { result, error } = answer as {
      result?: unknown;
      error?: { code?: unknown; message?: unknown; data?: unknown };
    };
    if (error !== undefined && error !== null)
      throw new RpcRefusal(
        `${method} refused: ${this.#shown(error.message)}`,
        revertData(error.data),
        typeof error.code === 'number' ? error.code : null,
      );
    if (result === undefined) throw new ChainError(`${method}: no result in the answer`);
    return result;
  }

  // The library's messages include the whole address, so none is passed on as it is.
  #failure(method: string, error: unknown): ChainError {
    if (error instanceof RpcRequestError) {
      return new RpcRefusal(`${method} refused: ${this.#shown(error.details)}`);
    }
    const name = error instanceof BaseError ? error.name : '';
    if (name === 'TimeoutError') return new ChainError(`${method}: no answer in time`);
    if (name === 'ResponseBodyTooLargeError') return new RpcRefusal(`${method}: the answer is too large`);
    const { status, details } = error as { status?: number; details?: string };
    if (status !== undefined) return new RpcRefusal(`${method}: HTTP ${status} ${this.#shown(details)}`);
    return new ChainError(`${method}: ${this.#shown(details ?? String(error))}`);
  }

  #shown(text: unknown): string {
    const line = String(text ?? 'no reason given').replace(/\s+/g, ' ');
    return this.#masked(line).slice(0, REASON_LENGTH_MAX);
  }
}

/** Runs a call for each item, a few at a time; throws the first failure. */
export async function each<T, R>(items: readonly T[], call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await call(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return results;
}

// Some servers wrap it in an object, some omit it.
function revertData(data: unknown): Hex | null {
  const found = typeof data === 'object' && data !== null && 'data' in data ? data.data : data;
  return isHex(found) ? found : null;
}

/** Removes from a text every part of an address that may be a key. */
export function maskOf(url: string): (text: string) => string {
  const secrets = secretsOf(url);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
}

/** The parts of an address that may hold keys, longest first. */
function secretsOf(text: string): string[] {
  const { href, origin, host, username, password, pathname, search, searchParams } = new URL(text);
  const parts = [text, href, href.slice(origin.length), pathname, search, username, password];
  const words = [...pathname.split('/'), ...searchParams.values()];
  return [...parts, ...words, ...words.map(decodeURIComponent)]
    .filter((part) => part.length > 3 && !host.includes(part))
    .sort((a, b) => b.length - a.length);
}
