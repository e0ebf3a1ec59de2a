/** Keeps the page's address in step with the view, so that a reload, a shared link, back and forward return to it. */

import { MICROS_PER_UNIT, parseSeriesId } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import type { Notices } from '../areas/notices/core/notices.ts';
import { contractOf } from '../areas/order/core/form/order.ts';
import type { Listing } from '../market/state.ts';
import { isNewEntry, type Place, placeText, readAddress } from '../session/address.ts';
import type { Stores } from '../terminal/stores.ts';

export interface AddressOptions {
  readonly stores: Pick<Stores, 'listing' | 'ticket' | 'tray'>;
  readonly notices: Notices;
  readonly selectSymbol: (symbol: string) => void;
  readonly selectExpiry: (expiryTs: number) => void;
  readonly openTicket: (seriesId: string) => void;
  /** Resolves once the legs are in the tray, or were refused with a word. */
  readonly openTray: (legs: readonly SpreadLeg[]) => Promise<void>;
  /** Puts ticket and tray away. */
  readonly closeOrder: () => void;
  /** The venue's time in unix ms. */
  readonly venueNow: () => number;
}

/** Opens the view named by the address once it is listed; from then on the address follows the page. */
export function followAddress(options: AddressOptions): void {
  const { stores } = options;
  const writer = new AddressWriter(stores);
  let wanted: Place | null = null;
  /** False for the view nearest to an address that could not be read: the order that is there stays. */
  let isWhole = true;
  /** Counts the addresses that were followed: legs may come after the next one. */
  let followed = 0;
  const follow = () => {
    if (wanted === null) {
      writer.writeSoon();
      return;
    }
    const step = stepTo(wanted, stores.listing.getState(), options.venueNow());
    if (step.kind === 'wait') return;
    if (step.kind === 'symbol') options.selectSymbol(wanted.symbol);
    else if (step.kind === 'expiry') options.selectExpiry(wanted.expiryTs!);
    else {
      const place = wanted;
      wanted = null;
      if (step.kind === 'missing') {
        tell(options, step.what);
        writer.replace();
      } else void arrive(place);
    }
  };
  const arrive = async ({ seriesId, legs }: Place) => {
    const own = followed;
    if (legs !== null) await options.openTray(legs);
    else if (seriesId !== null) options.openTicket(seriesId);
    else if (isWhole) options.closeOrder();
    if (own === followed) writer.replace();
  };
  const read = (hash: string) => {
    const { place, fault } = readAddress(hash);
    wanted = place;
    isWhole = fault === null;
    followed += 1;
    if (place === null) writer.replace();
    else writer.hold();
    if (fault !== null) tell(options, fault);
    follow();
  };
  stores.listing.subscribe(follow);
  for (const store of [stores.ticket, stores.tray]) store.subscribe(() => writer.writeSoon());
  addEventListener('hashchange', ({ newURL }) => {
    // Use the event's URL: the page may have changed the current one since.
    read(new URL(newURL).hash);
  });
  read(location.hash);
}

function tell({ notices }: AddressOptions, text: string): void {
  notices.add({ tone: 'warning', title: 'Link not found', text });
}

type Step =
  | { readonly kind: 'wait' | 'symbol' | 'expiry' | 'there' }
  | { readonly kind: 'missing'; readonly what: string };

/** The next step towards the view. */
function stepTo(place: Place, listing: Listing, nowMs: number): Step {
  const { instruments, symbol, expiries, expiryTs, strikes } = listing;
  if (instruments.length === 0) return { kind: 'wait' };
  if (!instruments.some((one) => one.symbol === place.symbol)) return missing(place.symbol);
  if (symbol !== place.symbol) return { kind: 'symbol' };
  if (expiries.length === 0) return { kind: 'wait' };
  if (place.expiryTs === null) return { kind: 'there' };
  if (!expiries.includes(place.expiryTs)) {
    const isOver = place.expiryTs * 1_000 <= nowMs;
    return isOver
      ? { kind: 'missing', what: 'That expiry is not listed here any more: it has passed.' }
      : missing('That expiry');
  }
  if (expiryTs !== place.expiryTs) return { kind: 'expiry' };
  const named = place.legs?.map(({ seriesId }) => seriesId) ?? [place.seriesId ?? ''];
  if (named.every((seriesId) => isListed(seriesId, strikes))) return { kind: 'there' };
  return missing(named.length > 1 ? 'One of its legs' : 'That strike');
}

function missing(what: string): Step {
  return { kind: 'missing', what: `${what} is not listed here.` };
}

/** True also for a name that is no contract. */
function isListed(seriesId: string, strikes: Listing['strikes']): boolean {
  const terms = parseSeriesId(seriesId);
  return (
    terms === undefined ||
    strikes.get(terms.expiryTs)?.includes(terms.strikeMicros / MICROS_PER_UNIT) === true
  );
}

/** Writes the view into the address, and steps into the browser's history. */
class AddressWriter {
  readonly #stores: AddressOptions['stores'];
  #written: Place | null = null;
  #isHeld = false;
  #isWaiting = false;

  constructor(stores: AddressOptions['stores']) {
    this.#stores = stores;
  }

  /** Writes nothing until the view that an address names is there. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Writes in place of the entry that is there, and goes on writing. */
  replace(): void {
    this.#isHeld = false;
    this.#write(() => false);
  }

  /** One press changes several stores: the address is written after the last of them. */
  writeSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      if (this.#isHeld) return;
      const { expiries } = this.#stores.listing.getState();
      // An expiry that is gone is nowhere to go back to.
      const isThere = this.#written?.expiryTs == null || expiries.includes(this.#written.expiryTs);
      this.#write(
        (before, after) => isNewEntry(before, after) && (isThere || before?.symbol !== after.symbol),
      );
    });
  }

  #write(isNew: (before: Place | null, after: Place) => boolean): void {
    const place = placeOf(this.#stores);
    if (place === null || this.#isHeld) return;
    const text = placeText(place);
    const before = this.#written;
    this.#written = place;
    if (text === location.hash) return;
    try {
      if (isNew(before, place)) history.pushState(null, '', text);
      else history.replaceState(null, '', text);
    } catch {
      // Browsers refuse a hundred changes within seconds; the next one is written again.
    }
  }
}

function placeOf({ listing, ticket, tray }: AddressOptions['stores']): Place | null {
  const { symbol, expiryTs } = listing.getState();
  if (symbol === null) return null;
  const seriesId = contractOf(ticket.getState());
  const { isOpen, legs } = tray.getState();
  const isOfTicket = seriesId !== null && parseSeriesId(seriesId)?.expiryTs === expiryTs;
  return {
    ...{ symbol, expiryTs },
    seriesId: isOfTicket ? seriesId : null,
    legs: isOpen && legs.length > 0 ? legs : null,
  };
}
