/**
 * Runs the money in and out of the vault: follows the wallet, the chain and the venue, and carries out the person's
 * actions.
 */

import { type Address, type Micros, microsToDecimal } from '@venue/protocol';
import {
  discoverWallets,
  type InjectedWallet,
  OutcomeUnknownError,
  type VenueClient,
} from '@venue/sdk/browser';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { formatExact } from '../../basics/numbers.ts';
import type { Stores } from '../../terminal/stores.ts';
import type { Notices } from '../notices/core/notices.ts';
import { chainFault } from './chain-words.ts';
import { type Doing, type Funds, START } from './funds-state.ts';
import { PAYOUTS_SHOWN } from './payouts.ts';
import {
  isOver,
  type Progress,
  type Purpose,
  progressOf,
  type SentTransaction,
  SentTransactions,
  TITLES,
} from './progress.ts';
import { VaultChain } from './vault-chain.ts';
import { readVaultSite } from './vault-site.ts';

const LOOK_MS = 2_000;
/**
 * Reads of the chain and the account come first in the venue's allowance: only every third poll spends two reads on
 * this.
 */
const CREDIT_LOOKS = 3;

export interface FundsDeskOptions {
  readonly client: VenueClient;
  readonly stores: Stores;
  readonly notices: Notices;
}

export class FundsDesk {
  readonly state: StoreApi<Funds> = createStore(() => START);
  readonly #options: FundsDeskOptions;
  #chain: VaultChain | null = null;
  #kept: SentTransactions | null = null;
  #looks = 0;
  #isLooking = false;
  #timer: ReturnType<typeof setInterval> | null = null;
  #watchers = 0;
  #isChecked = false;
  /** Number of the current action; the wallet's answer to one the person gave up is only recorded. */
  #act = 0;

  constructor(options: FundsDeskOptions) {
    this.#options = options;
    // Another account has other withdrawals, another wallet other transactions.
    let address = this.#address;
    options.stores.session.subscribe(() => {
      if (this.#address === address) return;
      address = this.#address;
      this.#chain = null;
      this.#isChecked = false;
      const { site, siteFault } = this.state.getState();
      this.state.setState({ ...START, site, siteFault });
      void this.look();
    });
  }

  get #address(): Address | null {
    const { state, address } = this.#options.stores.session.getState();
    return state === 'ready' ? (address?.toLowerCase() as Address) : null;
  }

  /** Polls while a component watches, and until sent transactions are settled. Returns a function that stops it. */
  watch(): () => void {
    this.#watchers += 1;
    this.#timer ??= setInterval(() => void this.#tick(), LOOK_MS);
    this.#looks = 0;
    void this.look();
    return () => {
      this.#watchers -= 1;
    };
  }

  async #tick(): Promise<void> {
    const isWaiting = this.state.getState().sent.some(({ progress }) => !isOver(progress));
    if (this.#watchers === 0 && !isWaiting) {
      if (this.#timer !== null) clearInterval(this.#timer);
      this.#timer = null;
    } else if (document.visibilityState === 'visible' || isWaiting) await this.look();
  }

  /** Reads everything once; failures are shown in the state. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#findSite();
      await this.#findWallet();
      await this.#readChain();
      await this.#follow();
      if (this.#looks % CREDIT_LOOKS === 0) await this.#readVenue();
      this.#looks += 1;
    } finally {
      this.#isLooking = false;
    }
  }

  async #findSite(): Promise<void> {
    if (this.state.getState().site !== null) return;
    try {
      this.state.setState({ site: await readVaultSite(this.#options.client.url), siteFault: null });
    } catch (error) {
      this.state.setState({ siteFault: messageOf(error) });
    }
  }

  /** Finds the announced wallet the account signed in with, or one that offers the account's address. */
  async #findWallet(): Promise<void> {
    const { site, wallets: known } = this.state.getState();
    const address = this.#address;
    if (this.#chain !== null || site === null || address === null) return;
    const wallets = known.length > 0 ? known : await discoverWallets();
    const { wallet: name } = this.#options.stores.session.getState();
    const own = [...wallets].sort((a, b) => Number(b.info.name === name) - Number(a.info.name === name));
    for (const wallet of own) {
      const accounts = await accountsOf(wallet, 'eth_accounts').catch((): string[] => []);
      if (accounts.includes(address)) return this.#use(wallet, wallets);
    }
    this.state.setState({ wallets, wallet: wallets.length === 0 ? 'none' : 'unconnected' });
  }

  #use(wallet: InjectedWallet, wallets: readonly InjectedWallet[]): void {
    const { site } = this.state.getState();
    this.#chain = new VaultChain(wallet.provider, site!);
    this.#kept = new SentTransactions(() => localStorage, `${site!.chainId} ${site!.vault} ${this.#address}`);
    this.#provider = wallet.provider;
    const sent = this.#kept.list().map((one) => ({ ...one, progress: { stage: 'sent' } as const }));
    this.state.setState({ wallets, walletName: wallet.info.name, sent, fault: null });
  }

  #provider: InjectedWallet['provider'] | null = null;

  async #readChain(): Promise<void> {
    const { site } = this.state.getState();
    const [chain, provider, address] = [this.#chain, this.#provider, this.#address];
    if (chain === null || provider === null || site === null || address === null) return;
    try {
      const selected = (await accountsOf({ provider }, 'eth_accounts'))[0] ?? null;
      const chainId = await chain.chainId();
      this.state.setState({ chainId, selected });
      if (chainId !== site.chainId) return this.state.setState({ wallet: 'other-chain', view: null });
      if (!this.#isChecked) await this.#inspect(chain);
      const view = await chain.view(address);
      const { payouts, reserves } = this.state.getState();
      const shown = (payouts ?? []).filter(({ state }) => state !== 'voided').slice(0, PAYOUTS_SHOWN);
      const terms = { account: address, epoch: reserves?.epoch ?? 0 };
      const committedIds = await chain.committedOf(shown, terms);
      const wallet = selected === address ? 'ready' : 'other-account';
      if (chain === this.#chain) this.state.setState({ wallet, view, committedIds, viewFault: null });
    } catch (error) {
      this.state.setState({ viewFault: chainFault(error) ?? 'Your wallet does not let this page read.' });
    }
  }

  /** Checks that the address the venue names is a vault of that token; money goes nowhere else. */
  async #inspect(chain: VaultChain): Promise<void> {
    const { fault, tokenSymbol } = await chain.inspect();
    this.#isChecked = fault === null;
    this.state.setState({ tokenSymbol, siteFault: fault });
  }

  /** Updates the progress of sent transactions. */
  async #follow(): Promise<void> {
    const { site, sent, wallet } = this.state.getState();
    const [chain, address] = [this.#chain, this.#address];
    const canSee = wallet === 'ready' || wallet === 'other-account';
    if (chain === null || address === null || site === null || !canSee) return;
    const open = sent.filter(({ progress }) => !isOver(progress));
    if (open.length === 0) return;
    const credited = open.some(({ progress }) => progress.stage === 'confirmed')
      ? await this.#creditedHashes(open)
      : new Set<string>();
    for (const one of open) {
      const evidence = await chain.evidence(one.hash, address).catch(() => null);
      if (evidence === null) continue;
      const nonce = one.nonce ?? (await chain.nonceOf(one.hash));
      const known: SentTransaction = { ...keptOf(one), nonce };
      if (nonce !== one.nonce) this.#kept?.keep(known);
      const isCredited = credited.has(one.hash);
      const confirmationsWanted = site.confirmations;
      this.#advance(known, progressOf(known, { ...evidence, confirmationsWanted, isCredited }));
    }
  }

  /** Those of the mined deposits that are in the account's statement. */
  async #creditedHashes(open: readonly SentTransaction[]): Promise<ReadonlySet<string>> {
    const { client } = this.#options;
    const hashes = new Set<string>();
    const fromMs = Math.max(0, Math.min(...open.map(({ sentAtMs }) => sentAtMs)) - CLOCKS_APART_MS);
    try {
      for await (const { kind, txHash } of client.account.statementRows({ from: fromMs })) {
        if (kind === 'deposit' && txHash !== undefined) hashes.add(txHash.toLowerCase());
      }
    } catch {
      // Asked again with the next poll.
    }
    return hashes;
  }

  #advance(sent: SentTransaction, progress: Progress): void {
    const before = this.state.getState().sent.find(({ hash }) => hash === sent.hash);
    if (before === undefined) return;
    this.state.setState(({ sent: list }) => ({
      sent: list.map((one) => (one.hash === sent.hash ? { ...sent, progress } : one)),
    }));
    if (!isOver(progress) || isOver(before.progress)) return;
    // A completed transaction is not followed at the next visit.
    this.#kept?.forget(sent.hash);
    this.#tell(sent, progress);
    if (sent.purpose === 'allow' || sent.purpose === 'reset') this.dismiss(sent.hash);
    this.#looks = 0;
  }

  #tell({ purpose, amountMicros }: SentTransaction, { stage }: Progress): void {
    const { notices } = this.#options;
    const amount = `${formatExact(amountMicros / 1e6)} ${this.state.getState().tokenSymbol}`;
    const title = `${TITLES[purpose]} of ${amount}`;
    if (stage === 'done' && purpose === 'deposit')
      notices.add({ tone: 'good', title, text: 'Credited: it is in your cash.' });
    else if (stage === 'done' && purpose === 'claim')
      notices.add({ tone: 'good', title, text: 'Paid to your wallet.' });
    else if (stage === 'failed')
      notices.add({ tone: 'danger', title, text: 'The chain refused it: nothing moved but the gas.' });
    else if (stage === 'replaced')
      notices.add({ tone: 'warning', title, text: 'Your wallet sent another transaction in its place.' });
  }

  async #readVenue(): Promise<void> {
    const { client } = this.#options;
    try {
      const reserves = await client.market.reserves();
      const payouts = this.#address === null ? null : await client.withdrawals.list();
      this.state.setState({ reserves, payouts, venueFault: null });
    } catch (error) {
      this.state.setState({ venueFault: messageOf(error) });
    }
  }

  /** Asks a wallet to show its accounts to this page. */
  connect(wallet: InjectedWallet): Promise<void> {
    return this.#do('connect', async () => {
      const address = this.#address;
      const accounts = await accountsOf(wallet, 'eth_requestAccounts');
      if (address !== null && accounts.includes(address)) this.#use(wallet, this.state.getState().wallets);
      else this.state.setState({ wallet: 'other-account', selected: accounts[0] ?? null });
    });
  }

  switchChain(): Promise<void> {
    return this.#do('switch', async () => this.#chain?.switchChain());
  }

  /**
   * Asks the wallet to sign and send; the transaction is then followed, even after the page was closed. True when it
   * was sent.
   */
  async send(purpose: Purpose, amountMicros: bigint): Promise<boolean> {
    let isSent = false;
    await this.#do(purpose, async () => {
      const [chain, address, kept] = [this.#chain, this.#address, this.#kept];
      if (chain === null || address === null || kept === null) return;
      // Nothing may be given to a contract that was not checked. What it has set aside may be claimed even so.
      if (purpose !== 'claim' && !this.#isChecked) throw new Error('The vault has not been checked yet.');
      const hash = await chain.send(purpose, amountMicros, address);
      const micros = Number(amountMicros);
      const sent: SentTransaction = {
        purpose,
        hash,
        nonce: null,
        amountMicros: micros,
        sentAtMs: Date.now(),
      };
      isSent = true;
      kept.keep(sent);
      this.state.setState(({ sent: list }) => ({
        sent: [{ ...sent, progress: { stage: 'sent' } }, ...list],
      }));
    });
    return isSent;
  }

  /** Requests a withdrawal from the venue; true when it was accepted. */
  async withdraw(amountMicros: Micros): Promise<boolean> {
    let isDone = false;
    await this.#do('withdraw', async () => {
      const { client, notices } = this.#options;
      try {
        const { id } = await client.withdrawals.request(microsToDecimal(amountMicros));
        const title = `Withdrawal ${id}`;
        const text = `${formatExact(amountMicros / 1e6)} is off your cash and on its way to the vault.`;
        notices.add({ tone: 'good', title, text });
        isDone = true;
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError)) throw error;
        isDone = error.verdict === 'carried out';
        if (!isDone) throw new Error(LOST_TEXTS[error.verdict]);
      }
    });
    this.#looks = 0;
    void this.look();
    return isDone;
  }

  /** Stops waiting for the wallet; a transaction it still sends is followed anyway. */
  giveUp(): void {
    this.#act += 1;
    this.state.setState({ doing: null });
  }

  dismiss(hash: string): void {
    this.#kept?.forget(hash);
    this.state.setState(({ sent }) => ({ sent: sent.filter((one) => one.hash !== hash) }));
  }

  async #do(doing: Doing, act: () => Promise<unknown>): Promise<void> {
    this.#act += 1;
    const number = this.#act;
    this.state.setState({ doing, fault: null });
    let text: string | null = null;
    try {
      await act();
    } catch (error) {
      text = doing === 'withdraw' ? messageOf(error) : chainFault(error);
    }
    if (number !== this.#act) return;
    this.state.setState({ doing: null, fault: text === null ? null : { doing, text } });
    await this.look();
  }
}

/** Allowed difference between the venue's clock and this one; a larger value only makes the statement longer. */
const CLOCKS_APART_MS = 3_600_000;

const LOST_TEXTS: Readonly<Record<OutcomeUnknownError['verdict'], string>> = {
  'carried out': '',
  'not carried out': 'The answer got lost, and the venue never took it. You can ask again.',
  unknown: 'The answer got lost. Look at the withdrawals below before you ask again.',
};

async function accountsOf(
  { provider }: Pick<InjectedWallet, 'provider'>,
  method: 'eth_accounts' | 'eth_requestAccounts',
): Promise<string[]> {
  const accounts = await provider.request({ method });
  return Array.isArray(accounts) ? accounts.map((account) => String(account).toLowerCase()) : [];
}

function keptOf({ purpose, hash, nonce, amountMicros, sentAtMs }: SentTransaction): SentTransaction {
  return { purpose, hash, nonce, amountMicros, sentAtMs };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
