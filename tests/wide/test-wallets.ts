/** Wallets that a test installs in a page: each announces itself (EIP-6963), and its key stays in the test. */

import type { Hex } from '@venue/protocol';
import { randomPrivateKey, walletFromPrivateKey } from '@venue/sdk';
import type { BrowserContext } from 'playwright-core';

/** How a wallet reacts to a signature request. */
export type Manner = 'signs' | 'refuses' | 'never answers' | 'turns to another account';

export interface TestWallet {
  readonly name: string;
  readonly address: string;
  /** A test may change it while the page is open. */
  manner: Manner;
  /** Number of signature requests. */
  asked: number;
}

/** Installs wallets in every page of the context, including later ones. */
export async function putWallets(
  context: BrowserContext,
  manners: Readonly<Record<string, Manner>>,
): Promise<Map<string, TestWallet>> {
  const wallets = new Map<string, TestWallet>();
  const keys = new Map<string, ReturnType<typeof walletFromPrivateKey>>();
  for (const [name, manner] of Object.entries(manners)) {
    const key = walletFromPrivateKey(randomPrivateKey());
    keys.set(name, key);
    wallets.set(name, { name, manner, asked: 0, address: key.address.toLowerCase() });
  }
  await context.exposeFunction('testWallet', async (name: string, method: string, text?: string) => {
    const wallet = wallets.get(name)!;
    if (method === 'eth_requestAccounts') return { value: [wallet.address] };
    wallet.asked += 1;
    if (wallet.manner === 'refuses') return { code: 4001, message: 'User rejected the request.' };
    if (wallet.manner === 'never answers') return new Promise(() => {});
    const message = Buffer.from(text!.slice(2), 'hex').toString();
    const other = walletFromPrivateKey(`0x${'7'.repeat(64)}` as Hex);
    const isOther = wallet.manner === 'turns to another account';
    const signer = isOther ? other : keys.get(name)!;
    return { value: await signer.signMessage({ message }), turnsTo: isOther ? other.address : undefined };
  });
  await context.addInitScript(announce, Object.keys(manners));
  return wallets;
}

/** Runs in the page. */
function announce(names: string[]): void {
  interface Answer {
    readonly value?: unknown;
    readonly code?: number;
    readonly message?: string;
    readonly turnsTo?: string;
  }
  const page = globalThis as unknown as EventTarget & {
    testWallet(name: string, method: string, text?: unknown): Promise<Answer>;
    CustomEvent: new (type: string, init: { detail: unknown }) => Event;
  };
  const providers = names.map((name, i) => {
    const listeners = new Set<(accounts: string[]) => void>();
    const provider = {
      on: (_: string, listen: (accounts: string[]) => void) => listeners.add(listen),
      removeListener: (_: string, listen: (accounts: string[]) => void) => listeners.delete(listen),
      async request({ method, params }: { method: string; params?: unknown[] }) {
        const { value, code, message, turnsTo } = await page.testWallet(name, method, params?.[0]);
        if (code !== undefined) throw Object.assign(new Error(message), { code });
        if (turnsTo !== undefined) for (const listen of listeners) listen([turnsTo]);
        return value;
      },
    };
    const icon =
      'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="teal"/></svg>';
    return { info: { uuid: `test-${i}`, name, icon, rdns: `test.wallet${i}` }, provider };
  });
  const tell = () => {
    for (const detail of providers) {
      page.dispatchEvent(new page.CustomEvent('eip6963:announceProvider', { detail: Object.freeze(detail) }));
    }
  };
  page.addEventListener('eip6963:requestProvider', tell);
  tell();
}
