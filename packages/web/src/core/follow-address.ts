/** Keeps the page's address in step with the view, so that a reload or a shared link returns to it. */

import { MICROS_PER_UNIT, parseSeriesId } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import type { Notices } from './notices.ts';
import { type Place, parsePlace, placeText } from './session/address.ts';
import type { Listing, Stores } from './stores.ts';

export interface AddressOptions {
  readonly stores: Pick<Stores, 'listing' | 'ticket' | 'tray'>;
  readonly notices: Notices;
  readonly selectSymbol: (symbol: string) => void;
  readonly selectExpiry: (expiryTs: number) => void;
  readonly openTicket: (seriesId: string) => void;
  readonly openTray: (legs: readonly SpreadLeg[]) => void;
}

/** Opens the view named by the address once it is listed; from then on the address follows the page. */
export function followAddress(options: AddressOptions): void {
  const { stores, notices } = options;
  let wanted = parsePlace(location.hash);
  const follow = () => {
    if (wanted === null) {
      writeAddress(options);
      return;
    }
    const step = stepTo(wanted, stores.listing.getState());
    if (step.kind === 'wait') return;
    if (step.kind === 'symbol') options.selectSymbol(wanted.symbol);
    else if (step.kind === 'expiry') options.selectExpiry(wanted.expiryTs!);
    else {
      const { seriesId, legs } = wanted;
      wanted = null;
      if (step.kind === 'missing')
        notices.add({ tone: 'warning', title: 'Link not found', text: `${step.what} is not listed here.` });
      else if (legs !== null) options.openTray(legs);
      else if (seriesId !== null) options.openTicket(seriesId);
      writeAddress(options);
    }
  };
  stores.listing.subscribe(follow);
  for (const store of [stores.ticket, stores.tray])
    store.subscribe(() => {
      if (wanted === null) writeAddress(options);
    });
  addEventListener('hashchange', ({ newURL }) => {
    // Use the event's URL: the page may have changed the current one since.
    wanted = parsePlace(new URL(newURL).hash);
    follow();
  });
}

type Step =
  | { readonly kind: 'wait' | 'symbol' | 'expiry' | 'there' }
  | { readonly kind: 'missing'; readonly what: string };

/** The next step towards the view. */
function stepTo(place: Place, { instruments, symbol, expiries, expiryTs, strikes }: Listing): Step {
  if (instruments.length === 0) return { kind: 'wait' };
  if (!instruments.some((one) => one.symbol === place.symbol)) return { kind: 'missing', what: place.symbol };
  if (symbol !== place.symbol) return { kind: 'symbol' };
  if (expiries.length === 0) return { kind: 'wait' };
  if (place.expiryTs === null) return { kind: 'there' };
  if (!expiries.includes(place.expiryTs)) return { kind: 'missing', what: 'That expiry' };
  if (expiryTs !== place.expiryTs) return { kind: 'expiry' };
  const named = place.legs?.map(({ seriesId }) => seriesId) ?? [place.seriesId ?? ''];
  return named.every((seriesId) => isListed(seriesId, strikes))
    ? { kind: 'there' }
    : { kind: 'missing', what: named.length > 1 ? 'One of its legs' : 'That strike' };
}

/** True also for a name that is no contract. */
function isListed(seriesId: string, strikes: Listing['strikes']): boolean {
  const terms = parseSeriesId(seriesId);
  return (
    terms === undefined ||
    strikes.get(terms.expiryTs)?.includes(terms.strikeMicros / MICROS_PER_UNIT) === true
  );
}

function writeAddress({ stores }: AddressOptions): void {
  const { symbol, expiryTs } = stores.listing.getState();
  const { seriesId } = stores.ticket.getState();
  const tray = stores.tray.getState();
  if (symbol === null) return;
  const isOfTicket = seriesId !== null && parseSeriesId(seriesId)?.expiryTs === expiryTs;
  const legs = tray.isOpen && tray.legs.length > 0 ? tray.legs : null;
  const text = placeText({ symbol, expiryTs, seriesId: isOfTicket ? seriesId : null, legs });
  if (text !== location.hash) history.replaceState(null, '', text);
}
