/** Keeps of the ticket what the page's address does not say, as long as the tab: a reload goes on where it was. */

import { membersOf, readKept, type Storage, writeKept } from '../../../../basics/kept.ts';
import type { Ticket } from './state.ts';

const KEPT = 'venue-ticket';
const FIELD_CHARACTERS_MAX = 40;

export type Draft = Pick<Ticket, 'side' | 'kind' | 'qty' | 'price'>;

export class KeptTicket {
  readonly #storage: () => Storage;

  constructor(storage: () => Storage) {
    this.#storage = storage;
  }

  /** Without storage, or with a full one, a reload has the contract of the address and nothing else. A close is not kept. */
  keep({
    seriesId,
    side,
    kind,
    qty,
    price,
    isClosing,
  }: Draft & Pick<Ticket, 'seriesId' | 'isClosing'>): void {
    const isKept = seriesId !== null && !isClosing;
    writeKept(this.#storage, KEPT, isKept ? { seriesId, side, kind, qty, price } : null);
  }

  /** What was typed for this contract; null where there is nothing, or nonsense. */
  find(seriesId: string): Draft | null {
    const kept = membersOf(readKept(this.#storage, KEPT));
    const { side, kind, qty, price } = kept;
    if (kept.seriesId !== seriesId || (side !== 'buy' && side !== 'sell')) return null;
    if ((kind !== 'limit' && kind !== 'market') || !isField(qty) || !isField(price)) return null;
    return { side, kind, qty, price };
  }
}

function isField(value: unknown): value is string {
  return typeof value === 'string' && value.length <= FIELD_CHARACTERS_MAX;
}
