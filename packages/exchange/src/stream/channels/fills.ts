/** The fills of an account, oldest first, as its history shows them. */

import type { Account, FillRecord } from '@venue/engine';
import { fillView } from '../../views/fills.ts';
import { type Change, type Content, NO_CHANGES } from './content.ts';

const MEMBER = 'fills';

export class FillsContent implements Content {
  readonly #account: Account;
  #fresh: FillRecord[] = [];
  #version = 0;

  constructor(account: Account) {
    this.#account = account;
  }

  get version(): number {
    return this.#version;
  }

  add(fill: FillRecord): void {
    this.#version += 1;
    this.#fresh.push(fill);
  }

  /** No fill: those to come follow it. */
  snapshot(): string {
    const { fills } = this.#account;
    return this.snapshotAfter(fills.size === 0 ? 0 : fills.at(fills.size - 1).id);
  }

  /** The fills whose ids are above one, which must be all that there are. */
  snapshotAfter(after: number): string {
    const { fills } = this.#account;
    const rows = fills.slice(fills.countBelow(after + 1)).map(rowOf);
    return `"after":${after},"${MEMBER}":[${rows.join(',')}]`;
  }

  changes(): readonly Change[] {
    const fresh = this.#fresh;
    if (fresh.length === 0) return NO_CHANGES;
    this.#fresh = [];
    return fresh.map((fill) => ({ member: MEMBER, key: fill.id, json: rowOf(fill) }));
  }
}

/** Returns true if the state has every fill of an account above an id, as it keeps only the newest. */
export function keepsFillsAfter({ fills }: Account, after: number, keptMax: number): boolean {
  return fills.size < keptMax || fills.at(0).id <= after;
}

function rowOf(fill: FillRecord): string {
  return JSON.stringify(fillView(fill));
}
