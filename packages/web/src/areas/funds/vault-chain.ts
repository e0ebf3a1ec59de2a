/** The vault through a wallet of the browser: every read and every transaction goes through that wallet. */

import { type Address, decimalToMicros, EPOCH_SPAN, type Hex } from '@venue/protocol';
import type { InjectedProvider, Payout } from '@venue/sdk/browser';
import { type Client, createClient, custom, encodeFunctionData, keccak256, parseEventLogs } from 'viem';
import {
  call,
  estimateGas,
  getBalance,
  getBlockNumber,
  getChainId,
  getCode,
  getGasPrice,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  readContract,
  sendTransaction,
} from 'viem/actions';
import type { Evidence, Purpose } from './progress.ts';
import { tokenAbi, vaultAbi } from './vault-abi.ts';
import type { VaultSite } from './vault-site.ts';

/** Token amounts in micros, native coin in its smallest unit. */
export interface VaultView {
  readonly tokenBalance: bigint;
  /** The amount the vault may take from the wallet. */
  readonly allowance: bigint;
  /** True if the token takes another allowance only once this one is zero. */
  readonly mustReset: boolean;
  readonly coinBalance: bigint;
  readonly gasPrice: bigint;
  readonly entitlement: bigint;
  readonly balance: bigint;
  readonly totalCommitted: bigint;
  readonly totalClaimed: bigint;
  readonly headBlock: number;
}

/** The most gas each action needs, rounded up; the wallet makes its own estimate. */
export const GAS: Readonly<Record<Purpose, bigint>> = {
  reset: 40_000n,
  allow: 60_000n,
  deposit: 100_000n,
  claim: 80_000n,
};

/** Numbers of payouts in the vault are the venue's own, from this times its epoch on (CUS-3). */
const EPOCH = BigInt(EPOCH_SPAN);

export class VaultChain {
  readonly #client: Client;
  readonly #site: VaultSite;
  readonly #provider: InjectedProvider;
  /** Payouts that the chain has shown as set aside: none is ever taken back. */
  readonly #shown = new Set<number>();

  constructor(provider: InjectedProvider, site: VaultSite) {
    this.#provider = provider;
    this.#site = site;
    this.#client = createClient({
      transport: custom(provider as Parameters<typeof custom>[0], { retryCount: 0 }),
    });
  }

  chainId(): Promise<number> {
    return getChainId(this.#client);
  }

  /** Asks the wallet to switch to the venue's chain. */
  async switchChain(): Promise<void> {
    const chainId = `0x${this.#site.chainId.toString(16)}`;
    await this.#provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  }

  /** Why the contract on chain is not the vault the venue names, or null; and the token's symbol. */
  async inspect(): Promise<{ fault: string | null; tokenSymbol: string }> {
    const { vault, token, codeHash } = this.#site;
    const code = await getCode(this.#client, { address: vault });
    if (code === undefined) return { fault: `There is no contract at ${vault}.`, tokenSymbol: '' };
    if (keccak256(code) !== codeHash)
      return {
        fault: `The contract at ${vault} does not have the code that the venue names.`,
        tokenSymbol: '',
      };
    const [held, tokenSymbol] = await Promise.all([
      readContract(this.#client, { address: vault, abi: vaultAbi, functionName: 'token' }),
      readContract(this.#client, { address: token, abi: tokenAbi, functionName: 'symbol' }).catch(
        () => 'tokens',
      ),
    ]);
    const isSame = held.toLowerCase() === token.toLowerCase();
    const fault = isSame ? null : `The contract at ${vault} does not hold the token that the venue names.`;
    return { fault, tokenSymbol: tokenSymbol.slice(0, 12) };
  }

  async view(account: Address): Promise<VaultView> {
    const client = this.#client;
    const vault = { address: this.#site.vault, abi: vaultAbi } as const;
    const token = { address: this.#site.token, abi: tokenAbi } as const;
    const [tokenBalance, allowance, coinBalance, gasPrice, entitlement] = await Promise.all([
      readContract(client, { ...token, functionName: 'balanceOf', args: [account] }),
      readContract(client, { ...token, functionName: 'allowance', args: [account, this.#site.vault] }),
      getBalance(client, { address: account }),
      getGasPrice(client),
      readContract(client, { ...vault, functionName: 'entitlementOf', args: [account] }),
    ]);
    const [balance, totalCommitted, totalClaimed, headBlock] = await Promise.all([
      readContract(client, { ...token, functionName: 'balanceOf', args: [this.#site.vault] }),
      readContract(client, { ...vault, functionName: 'totalCommitted' }),
      readContract(client, { ...vault, functionName: 'totalClaimed' }),
      getBlockNumber(client, { cacheTime: 0 }),
    ]);
    const mustReset = allowance > 0n && (await this.#refusesAllowance(account, allowance + 1n));
    const wallet = { tokenBalance, allowance, mustReset, coinBalance, gasPrice, entitlement };
    return { ...wallet, balance, totalCommitted, totalClaimed, headBlock: Number(headBlock) };
  }

  /** True if the token reverts on an allowance of the amount, tried on the chain's newest state. */
  async #refusesAllowance(account: Address, amount: bigint): Promise<boolean> {
    const { token, vault } = this.#site;
    try {
      await call(this.#client, { account, to: token, data: callData('allow', amount, vault) });
      return false;
    } catch (error) {
      if (/revert/i.test(String(error))) return true;
      throw error;
    }
  }

  /** Those of the account's payouts that the vault's events or its own record show as set aside (CUS-5). */
  async committedOf(
    payouts: readonly Payout[],
    { account, epoch }: { readonly account: Address; readonly epoch: number },
  ): Promise<ReadonlySet<number>> {
    for (const payout of payouts)
      if (!this.#shown.has(payout.id) && (await this.#isCommitted(payout, account, epoch)))
        this.#shown.add(payout.id);
    return new Set(this.#shown);
  }

  async #isCommitted({ id, txHash, amountUsd }: Payout, account: Address, epoch: number): Promise<boolean> {
    if (txHash === undefined) return this.#isRecorded(id, epoch);
    const receipt = await getTransactionReceipt(this.#client, { hash: txHash as Hex }).catch(unlessMissing);
    const logs = receipt?.logs.filter(({ address }) => address.toLowerCase() === this.#site.vault) ?? [];
    return parseEventLogs({ abi: vaultAbi, eventName: 'PayoutCommitted', logs }).some(
      ({ args }) =>
        Number(args.payoutId % EPOCH) === id &&
        args.account.toLowerCase() === account &&
        args.amount === BigInt(decimalToMicros(amountUsd) ?? -1),
    );
  }

  /** The vault's record under each number that the payout may have there: the venue does not say in which epoch it was. */
  async #isRecorded(id: number, epoch: number): Promise<boolean> {
    const vault = { address: this.#site.vault, abi: vaultAbi, functionName: 'isPayoutCommitted' } as const;
    const numbers = Array.from({ length: epoch + 1 }, (_, one) => BigInt(one) * EPOCH + BigInt(id));
    const answers = await Promise.all(
      numbers.map((number) => readContract(this.#client, { ...vault, args: [number] })),
    );
    return answers.includes(true);
  }

  /** The chain's data on a transaction. */
  async evidence(
    hash: Hex,
    account: Address,
  ): Promise<Pick<Evidence, 'receipt' | 'headBlock' | 'transactionCount'>> {
    const client = this.#client;
    const headBlock = Number(await getBlockNumber(client, { cacheTime: 0 }));
    // Read before the receipt: a transaction mined in between must not look replaced.
    const transactionCount = await getTransactionCount(client, { address: account });
    const receipt = await getTransactionReceipt(client, { hash }).catch(unlessMissing);
    if (receipt === null) return { receipt, headBlock, transactionCount };
    const { status, blockNumber } = receipt;
    return {
      receipt: { isSuccess: status === 'success', blockNumber: Number(blockNumber) },
      headBlock,
      transactionCount,
    };
  }

  /** The transaction's nonce, or null while the wallet's node does not know it. */
  async nonceOf(hash: Hex): Promise<number | null> {
    const transaction = await getTransaction(this.#client, { hash }).catch(() => null);
    return transaction?.nonce ?? null;
  }

  /** Simulates the transaction on chain, then asks the wallet to send it. Throws the error of either. */
  async send(purpose: Purpose, amountMicros: bigint, account: Address): Promise<Hex> {
    const { vault, token } = this.#site;
    const to = purpose === 'allow' || purpose === 'reset' ? token : vault;
    const data = callData(purpose, amountMicros, vault);
    await estimateGas(this.#client, { account, to, data });
    return sendTransaction(this.#client, { account, to, data, chain: null });
  }
}

function callData(purpose: Purpose, amount: bigint, vault: Address): Hex {
  if (purpose === 'claim') return encodeFunctionData({ abi: vaultAbi, functionName: 'claim' });
  if (purpose === 'deposit')
    return encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [amount] });
  const allowed = purpose === 'reset' ? 0n : amount;
  return encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [vault, allowed] });
}

function unlessMissing(error: Error): null {
  if (error.name === 'TransactionReceiptNotFoundError') return null;
  throw error;
}
