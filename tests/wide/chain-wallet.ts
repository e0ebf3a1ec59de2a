/** A browser wallet for tests: it announces itself to pages (EIP-6963) and signs with an account of a local chain. */

import type { BrowserContext } from 'playwright-core';
import { type Hex, hexToString } from 'viem';
import type { LocalAccount, LocalChain } from '../../packages/vault/test/chain.ts';

const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')}`;

export interface WalletOptions {
  readonly chain: LocalChain;
  readonly account: LocalAccount;
  readonly name?: string;
  /** Its initial chain; the local chain by default. */
  readonly chainId?: number;
}

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** An extension's answer: errors lose their codes on the way into the page, so they are passed as values. */
type Answer = { readonly result: unknown } | { readonly error: { code: number; message: string } };

export class ChainWallet {
  readonly name: string;
  /** Its user's answer to the next transactions. */
  answer: 'yes' | 'no' = 'yes';
  /** Methods called by pages, except reads. */
  readonly asked: string[] = [];
  readonly #options: WalletOptions;
  #chainId: number;

  constructor(options: WalletOptions) {
    this.#options = options;
    this.name = options.name ?? 'Test wallet';
    this.#chainId = options.chainId ?? options.chain.chainId;
  }

  /** Installs it in every page of a context, like an extension. */
  async install(context: BrowserContext): Promise<void> {
    await context.exposeFunction('__chainWallet', (call: Call) => this.#answerOf(call));
    await context.addInitScript(announce, { name: this.name, icon: ICON });
  }

  async #answerOf(call: Call): Promise<Answer> {
    try {
      return { result: await this.#request(call) };
    } catch (error) {
      const { code = -32603, message } = error as Error & { code?: number };
      return { error: { code, message } };
    }
  }

  async #request({ method, params = [] }: Call): Promise<unknown> {
    const { chain, account } = this.#options;
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [account.address];
      case 'eth_chainId':
        return `0x${this.#chainId.toString(16)}`;
      case 'wallet_switchEthereumChain':
        this.asked.push(method);
        this.#chainId = Number((params[0] as { chainId: Hex }).chainId);
        return null;
      case 'personal_sign':
        this.asked.push(method);
        return account.signMessage({ message: hexToString(params[0] as Hex) });
      case 'eth_sendTransaction':
        this.asked.push(method);
        return this.#send(params[0] as { to: Hex; data: Hex });
      default:
        return rpc(chain.rpcUrl, method, params);
    }
  }

  #send({ to, data }: { to: Hex; data: Hex }): Promise<Hex> {
    if (this.answer === 'no') throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    const { chain, account } = this.#options;
    return chain.wallet(account).sendTransaction({ to, data });
  }
}

/** Runs in the page. */
function announce({ name, icon }: { name: string; icon: string }): void {
  const page = globalThis as unknown as EventTarget & { __chainWallet: (call: Call) => Promise<Answer> };
  const provider = {
    async request(call: Call): Promise<unknown> {
      const answer = await page.__chainWallet(call);
      if ('error' in answer)
        throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
      return answer.result;
    },
  };
  const info = { uuid: 'c1d1b2f8-0000-4000-8000-000000000001', name, icon, rdns: 'test.venue' };
  const detail = Object.freeze({ info, provider });
  const say = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  page.addEventListener('eip6963:requestProvider', say);
  say();
}

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { result, error } = (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}
