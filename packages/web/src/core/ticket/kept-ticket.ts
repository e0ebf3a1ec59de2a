/** Keeps of the ticket what the page's address does not say, as long as the tab: a reload goes on where it was. */

import type { Ticket } from '../stores.ts';

const KEPT = 'venue-ticket';
const CHARACTERS_MAX = 400;
const FIELD_CHARACTERS_MAX = 40;

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;
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
    try {
      if (seriesId === null || isClosing) this.#storage().removeItem(KEPT);
      else this.#storage().setItem(KEPT, JSON.stringify({ seriesId, side, kind, qty, price }));
    } catch {
      // Full or refused.
    }
  }

  /** What was typed for this contract; null where there is nothing, or nonsense. */
  find(seriesId: string): Draft | null {
    const kept = this.#read();
    const { side, kind, qty, price } = kept;
    if (kept.seriesId !== seriesId || (side !== 'buy' && side !== 'sell')) return null;
    if ((kind !== 'limit' && kind !== 'market') || !isField(qty) || !isField(price)) return null;
    return { side, kind, qty, price };
  }

  #read(): Readonly<Record<string, unknown>> {
    try {
      const text = this.#storage().getItem(KEPT) ?? '';
      const found: unknown = text.length > CHARACTERS_MAX ? null : JSON.parse(text);
      return typeof found === 'object' && found !== null ? { ...found } : {};
    } catch {
      return {};
    }
  }
}

function isField(value: unknown): value is string {
  return typeof value === 'string' && value.length <= FIELD_CHARACTERS_MAX;
}
