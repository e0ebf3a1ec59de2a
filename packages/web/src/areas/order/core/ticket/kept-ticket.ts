/** Keeps of the ticket what the page's address does not say, as long as the tab: a reload goes on where it was. */

import { membersOf, readKept, type Storage, writeKept } from '../../../../basics/kept.ts';
import type { Side } from '../../../../market/touch.ts';
import { contractOf, sideOf, type Ticket } from '../form/order.ts';

const KEPT = 'venue-ticket';
const FIELD_CHARACTERS_MAX = 40;

export type Draft = Pick<Ticket, 'kind' | 'qty' | 'price'> & { readonly side: Side };

export class KeptTicket {
  readonly #storage: () => Storage;

  constructor(storage: () => Storage) {
    this.#storage = storage;
  }

  /** Without storage, or with a full one, a reload has the contract of the address and nothing else. A close is not kept. */
  keep(ticket: Pick<Ticket, 'legs' | 'isClosing' | 'kind' | 'qty' | 'price'>): void {
    const { kind, qty, price } = ticket;
    const seriesId = contractOf(ticket);
    const isKept = seriesId !== null && !ticket.isClosing;
    writeKept(this.#storage, KEPT, isKept ? { seriesId, side: sideOf(ticket), kind, qty, price } : null);
  }

  /** The order typed for this contract; null where there is nothing, or nonsense. */
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
