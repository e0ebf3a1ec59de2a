/** Lays out the legs of presets among what is listed. */

import type { StoreApi } from 'zustand/vanilla';
import type { Listing } from '../../../../market/state.ts';
import type { Preset, PresetKind, Tray } from '../form/order.ts';
import { atExpiries, type StrikesOf } from './legs.ts';
import type { QuoteOf } from './net.ts';
import { type Listed, presetOf, shortsByDelta, spreadOf } from './presets.ts';

export interface LayingOptions {
  readonly stores: { readonly listing: StoreApi<Listing> };
  readonly quoteOf: QuoteOf;
  /** The price of the underlying on the screen; NaN without one. */
  readonly spot: () => number;
}

/** Its functions throw a `RangeError` where nothing is listed for what was asked. */
export class Laying {
  readonly #options: LayingOptions;
  readonly strikesOf: StrikesOf = (expiryTs) =>
    this.#options.stores.listing.getState().strikes.get(expiryTs) ?? [];

  constructor(options: LayingOptions) {
    this.#options = options;
  }

  get listed(): Listed {
    const { symbol, expiries, strikes } = this.#options.stores.listing.getState();
    return { symbol: symbol ?? '', spot: this.#options.spot(), expiries, strikes };
  }

  laid(preset: Preset): Partial<Tray> {
    return { legs: spreadOf(preset, this.listed).legs, preset, isClosing: false };
  }

  /** A preset around the money of the chosen expiry. */
  chosen(kind: PresetKind): Partial<Tray> {
    const { expiryTs } = this.#options.stores.listing.getState();
    if (expiryTs === null) throw new RangeError('Nothing is listed yet.');
    const shorts = kind === 'ironCondor' ? this.#shortsAt(expiryTs) : null;
    return this.laid({ ...presetOf(kind, expiryTs), shorts });
  }

  /** The legs by so many listed expiries later or earlier. */
  turned({ preset, legs }: Tray, by: 1 | -1): Partial<Tray> {
    const { expiries } = this.listed;
    const next = (expiryTs: number) => {
      const found = expiries[expiries.indexOf(expiryTs) + by];
      if (found === undefined) throw new RangeError(`No ${by > 0 ? 'later' : 'earlier'} expiry is listed.`);
      return found;
    };
    if (preset !== null) return this.laid({ ...preset, expiryTs: next(preset.expiryTs) });
    return { legs: atExpiries(legs, { next, strikesOf: this.strikesOf }), preset: null, isClosing: false };
  }

  #shortsAt(expiryTs: number): Preset['shorts'] {
    const { quoteOf } = this.#options;
    return shortsByDelta(this.listed, expiryTs, (seriesId) => quoteOf(seriesId)?.delta ?? Number.NaN);
  }
}
