/** The vault's address and chain: from the file written by its deployment, which the operator gives to the exchange. */

import { type Address, type Hex, parseAddress } from '@venue/protocol';

export interface VaultSite {
  readonly chainId: number;
  readonly vault: Address;
  readonly token: Address;
  /** Keccak-256 of the code that the vault has to have. */
  readonly codeHash: Hex;
  /** Confirmations until the venue credits a deposit. */
  readonly confirmations: number;
}

/** The watcher's own default. */
const CONFIRMATIONS_DEFAULT = 12;
const NO_FILE =
  'This venue does not say where its vault is, so nothing can be moved from here. Its operator has to name the file of the vault’s deployment as VENUE_TERMINAL_VAULT.';
const BAD_FILE = 'This venue’s vault file cannot be read. Tell its operator.';

/** Throws an error whose message is meant for the person at the page. */
export async function readVaultSite(url: string, get: typeof fetch = fetch): Promise<VaultSite> {
  const answer = await get(`${url}/assets/vault.json`, { cache: 'no-cache' });
  if (answer.status === 404) throw new Error(NO_FILE);
  if (!answer.ok) throw new Error(`The venue does not answer where its vault is (${answer.status}).`);
  return parseVaultSite(await answer.json().catch(() => null));
}

/** Parses a deployment's file; `confirmations` may be added to it. Throws like `readVaultSite`. */
export function parseVaultSite(value: unknown): VaultSite {
  const { chainId, vault, token, codeHash, confirmations = CONFIRMATIONS_DEFAULT } = Object(value);
  const addresses = [vault, token].map((text) => parseAddress(String(text)));
  const [vaultAddress, tokenAddress] = addresses;
  const areCounts = [chainId, confirmations].every((count) => Number.isSafeInteger(count) && count >= 0);
  const isHash = /^0x[0-9a-f]{64}$/.test(String(codeHash));
  if (!areCounts || !isHash || vaultAddress === undefined || tokenAddress === undefined)
    throw new Error(BAD_FILE);
  return { chainId, vault: vaultAddress, token: tokenAddress, codeHash, confirmations };
}

const CHAIN_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'Ethereum'],
  [10, 'OP Mainnet'],
  [137, 'Polygon'],
  [8453, 'Base'],
  [42161, 'Arbitrum One'],
  [11155111, 'Sepolia, a test chain'],
  [31337, 'a local test chain'],
]);

/** @example chainName(8453) // 'Base' */
export function chainName(chainId: number): string {
  return CHAIN_NAMES.get(chainId) ?? `chain ${chainId}`;
}
