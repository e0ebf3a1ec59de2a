/** The standing comparison of ledger, events and balance (CUS-14): each may be wrong, all three alike are not. */

import type { Address, LedgerDeposit, Reserves } from '@venue/protocol';
import { isRefusedAs } from '@venue/sdk';
import { microsOf, usdText } from '../chain/amounts.ts';
import { type Block, logKey } from '../chain/parse.ts';
import type { WatcherConfig } from '../daemon/config.ts';
import { Reminder } from '../daemon/reminder.ts';
import type { Vault } from '../events/vault.ts';
import type { VaultFlows } from '../events/vault-flows.ts';
import { VaultLogs } from '../events/vault-logs.ts';
import {
  balanceFault,
  balanceGapMicros,
  type DepositDifferences,
  type DepositRow,
  depositDifferences,
  depositsText,
  ofThisVault,
} from '../reserves/reconcile.ts';
import type { WatcherMetrics } from './metrics.ts';
import type { UntakenDeposit } from './state.ts';

export interface ReconciliationParts {
  readonly venue: {
    reserves(): Promise<Reserves>;
    deposits(): AsyncIterable<LedgerDeposit>;
  };
  readonly vault: Vault;
  readonly flows: VaultFlows;
  readonly config: Pick<WatcherConfig, 'fromBlock' | 'chunkBlocks' | 'pollMs' | 'skip' | 'giftsMicros'>;
  readonly log: (line: string) => void;
  readonly metrics: Pick<WatcherMetrics, 'unexplained'>;
}

/** Comparisons are so many polls apart. */
const EVERY_POLLS = 20;
/** Ledger and chain are read one after the other, so a difference counts only if it lasts. */
const CHECKS_MIN = 3;

export class Reconciliation {
  readonly #parts: ReconciliationParts;
  readonly #ofLedger: Reminder;
  readonly #ofVault: Reminder;
  #dueAtMs = 0;
  #ledgerChecks = 0;
  #vaultChecks = 0;
  /** Sums that were compared deposit by deposit, and in which nothing was unexplained. */
  #explained = '';

  constructor(parts: ReconciliationParts) {
    this.#parts = parts;
    this.#ofLedger = new Reminder(parts.log);
    this.#ofVault = new Reminder(parts.log);
  }

  /** Compares, if it is due. The watcher must have read everything that is settled; `untaken` is not credited. */
  async check(untaken: readonly UntakenDeposit[]): Promise<void> {
    if (performance.now() < this.#dueAtMs) return;
    const { venue, vault, flows, config } = this.#parts;
    this.#dueAtMs = performance.now() + EVERY_POLLS * config.pollMs;
    // The ledger first: what it has credited by then is on the chain that is read after it.
    const { depositedUsd } = await venue.reserves();
    const head = await vault.chain.head();
    const { settled, atHead } = await flows.upTo(head);
    const credited = microsOf(depositedUsd);
    const isEqual = credited >= settled.depositedMicros && credited <= atHead.depositedMicros;
    await this.#judgeLedger({ isEqual, credited, settled: settled.depositedMicros, head, untaken });
    this.#judgeVault(balanceGapMicros(await vault.figures(head.number), atHead));
  }

  async #judgeLedger(seen: {
    readonly isEqual: boolean;
    readonly credited: bigint;
    readonly settled: bigint;
    readonly head: Block;
    readonly untaken: readonly UntakenDeposit[];
  }): Promise<void> {
    const { metrics } = this.#parts;
    const sums = `${seen.credited} ${seen.settled} ${seen.untaken.length}`;
    if (seen.isEqual || sums === this.#explained) return this.#isSound();
    this.#ledgerChecks += 1;
    if (this.#ledgerChecks < CHECKS_MIN) return;
    const fault = await this.#unexplained(seen);
    if (fault === null) {
      this.#explained = sums;
      return this.#isSound();
    }
    metrics.unexplained('ledger', seen.credited - seen.settled);
    this.#ofLedger.say(`ALARM: ${fault}`);
  }

  #isSound(): void {
    this.#ledgerChecks = 0;
    this.#parts.metrics.unexplained('ledger', 0n);
    this.#ofLedger.over('the deposits of ledger and vault are equal again');
  }

  #judgeVault(gapMicros: bigint): void {
    const { config, metrics } = this.#parts;
    const fault = balanceFault(gapMicros, config.giftsMicros);
    this.#vaultChecks = fault === null ? 0 : this.#vaultChecks + 1;
    const isSure = this.#vaultChecks >= CHECKS_MIN;
    metrics.unexplained('vault', isSure ? gapMicros - BigInt(config.giftsMicros) : 0n);
    if (isSure) this.#ofVault.say(`ALARM: ${fault}`);
    else if (fault === null) this.#ofVault.over('the vault holds what its events account for again');
  }

  /** Names the deposits that make the difference; null if all of them were dealt with by hand. */
  async #unexplained({
    credited,
    settled,
    head,
    untaken,
  }: {
    readonly credited: bigint;
    readonly settled: bigint;
    readonly head: Block;
    readonly untaken: readonly UntakenDeposit[];
  }): Promise<string | null> {
    const { config } = this.#parts;
    const text = `the ledger has credited ${usdText(credited)}, and the vault's deposits are ${usdText(settled)}`;
    const ledger = await this.#ledgerRows(credited);
    if (ledger === null) return `${text}; this secret may not list the ledger's deposits`;
    const excused = new Set([...config.skip, ...untaken.map(logKey)]);
    const found = depositDifferences(ledger, await this.#chainRows(head), excused);
    if (found.invented.length + found.missing.length > 0) return `${text}; ${differenceText(found)}`;
    const listed = ledger.reduce((sum, { amount }) => sum + amount, 0n);
    return listed === credited ? null : `${text}; its list of deposits adds up to ${usdText(listed)}`;
  }

  /** The deposits of this vault, or null if this secret may not list them. */
  async #ledgerRows(credited: bigint): Promise<DepositRow[] | null> {
    const rows: DepositRow[] = [];
    try {
      for await (const { txHash, logIndex, address, amount } of this.#parts.venue.deposits())
        rows.push({ txHash, logIndex, address: address as Address, amount: BigInt(amount) });
    } catch (error) {
      if (isRefusedAs(error, 'wrong-credential')) return null;
      throw error;
    }
    return ofThisVault(rows, credited);
  }

  async #chainRows(head: Block): Promise<{ settled: DepositRow[]; all: DepositRow[] }> {
    const { vault, flows, config } = this.#parts;
    const range = { from: config.fromBlock, to: head.number };
    const all = await new VaultLogs(vault, config.chunkBlocks).deposits(range);
    const settledTo = flows.checkpoint?.block.number ?? config.fromBlock - 1;
    return { all, settled: all.filter(({ blockNumber }) => blockNumber <= settledTo) };
  }
}

function differenceText({ invented, missing }: DepositDifferences): string {
  return [
    ...(invented.length > 0 ? [`credited and not on the chain: ${depositsText(invented)}`] : []),
    ...(missing.length > 0 ? [`on the chain and not credited: ${depositsText(missing)}`] : []),
  ].join('; ');
}
