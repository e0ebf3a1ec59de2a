/** Seeded trading of every kind on a real log, recording each account's cash after every entry, and its orders. */

import { after } from 'node:test';
import {
  type Account,
  apply,
  createState,
  decodeCommand,
  type Effects,
  encodeCommand,
  type FillRecord,
  isRefused,
  NO_EFFECTS,
  type State,
} from '@venue/engine';
import { type Log, MemoryStore, openMemoryLog } from '@venue/log';
import { Generator } from '../../engine/sim/generate.ts';
import { Model } from '../../engine/sim/model.ts';
import { type HistoryStore, openHistoryStore } from '../src/history/store.ts';
import { OrderNotes } from './order-records.ts';

export interface CashAt {
  readonly ts: number;
  readonly micros: number;
}

/** Opens the file of a history; its thread ends after the test that opened it, even if that fails. */
export async function openFile(path: string): Promise<HistoryStore> {
  const store = await openHistoryStore(path);
  after(() => store.close());
  return store;
}

export class Traded {
  readonly store = new MemoryStore();
  readonly state: State = createState();
  /** By account: its cash after every entry since it was opened. */
  readonly cash = new Map<number, CashAt[]>();
  readonly fills = new Map<number, FillRecord[]>();
  readonly orders = new OrderNotes(this.state);
  /** Entries that the engine refused, and deposits that it held or already had. */
  readonly refusedSeqs = new Set<number>();
  readonly #flow: Flow;
  #log!: Log;
  #nowMs = 0;
  /** Times of the generator from `sinceMs` on are so many times further from it. */
  #haste = { sinceMs: 0, factor: 1 };
  #generatedMs = 0;

  private constructor(seed: number, custody: boolean) {
    this.#flow = flowOf(seed, custody);
  }

  static async begin(seed: number, custody: boolean): Promise<Traded> {
    const traded = new Traded(seed, custody);
    traded.#log = await openMemoryLog({ store: traded.store, now: () => traded.#nowMs });
    return traded;
  }

  get log(): Log {
    return this.#log;
  }

  /**
   * From now on, time passes so many times faster: many hours of trading in a few hundred entries. What is signed is then
   * refused, as its nonce is too old. Call it once.
   */
  hurry(factor: number): void {
    this.#haste = { sinceMs: this.#generatedMs, factor };
  }

  /** Applies further entries and passes on their effects. */
  async trade(entries: number, effects: Effects = NO_EFFECTS, applied = () => {}): Promise<void> {
    const recorded: Effects = this.orders.noting({
      ...effects,
      filled: (account, fill, cashMicros) => {
        this.#fillsOf(account).push(fill);
        effects.filled(account, fill, cashMicros);
      },
    });
    for (let i = 0; i < entries; i++) {
      await this.#trade(recorded);
      applied();
    }
  }

  async #trade(effects: Effects): Promise<void> {
    const { seq, generatedMs, kind, body } = this.#flow.at(this.state.seq);
    this.#generatedMs = generatedMs;
    const { sinceMs, factor } = this.#haste;
    const ts = sinceMs + (generatedMs - sinceMs) * factor;
    this.#nowMs = ts;
    await this.#log.append([{ kind, body }]);
    const entry = { seq, ts, command: decodeCommand(kind, body) };
    const outcome = apply(this.state, entry, effects);
    if (isRefused(outcome) || MOVED_NOTHING.has(statusOf(outcome))) this.refusedSeqs.add(seq);
    for (const account of traders(this.state)) {
      const known = this.cash.get(account.index) ?? [];
      this.cash.set(account.index, known);
      known.push({ ts, micros: account.cashMicros });
    }
  }

  /** Cash of an account after the last entry before an instant. */
  cashBefore(account: number, ms: number): number {
    return this.cash.get(account)?.findLast(({ ts }) => ts < ms)?.micros ?? 0;
  }

  #fillsOf({ index }: Account): FillRecord[] {
    const known = this.fills.get(index) ?? [];
    this.fills.set(index, known);
    return known;
  }
}

interface Generated {
  readonly seq: number;
  readonly generatedMs: number;
  readonly kind: string;
  readonly body: Uint8Array;
}

/** The commands of a seed, as far as one of the venues that trade it has come: generating them costs more than trading. */
class Flow {
  readonly #model = new Model();
  readonly #generator: Generator;
  readonly #generated: Generated[] = [];

  constructor(seed: number, custody: boolean) {
    this.#generator = new Generator(seed, this.#model, custody);
  }

  at(place: number): Generated {
    while (this.#generated.length <= place) {
      const entry = this.#generator.next();
      this.#model.apply(entry);
      const { seq, ts, command } = entry;
      const body = encodeCommand(command);
      this.#generated.push({ seq, generatedMs: ts, kind: command.kind, body });
    }
    return this.#generated[place]!;
  }
}

const flows = new Map<string, Flow>();

function flowOf(seed: number, custody: boolean): Flow {
  const name = `${seed} ${custody}`;
  const flow = flows.get(name) ?? new Flow(seed, custody);
  flows.set(name, flow);
  return flow;
}

const MOVED_NOTHING: ReadonlySet<string> = new Set(['rejected', 'duplicate', 'held']);

function statusOf(outcome: object): string {
  return 'status' in outcome ? String(outcome.status) : '';
}

export function traders({ accounts }: State): Account[] {
  return accounts.filter(({ role }) => role === 'trader');
}
