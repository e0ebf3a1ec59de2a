/** The strategy tray: collects and changes the legs of an order that trades as one combo (CMB-1). */

import type { ComboPreviewAnswer } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import type { Side } from '../../../../market/touch.ts';
import { type DeskOptions, OrderDesk, type SendHow } from '../form/desk.ts';
import type { Order, Preset, PresetKind } from '../form/order.ts';
import { closeOf, rollOf, type Taken } from './closing.ts';
import type { KeptTray } from './kept-tray.ts';
import { Laying, type LayingOptions } from './laying.ts';
import {
  atStrike,
  beside,
  checked,
  moved,
  namedLegs,
  turned,
  withLeg,
  withoutLeg,
  withRatio,
} from './legs.ts';
import type { TrayTerms } from './terms.ts';
import { type TrayMarket, trayForm } from './tray-form.ts';

export interface TrayDeskOptions
  extends DeskOptions,
    Omit<LayingOptions, 'stores'>,
    Pick<TrayMarket, 'settlesNear'> {
  readonly kept: Pick<KeptTray, 'keep' | 'find'>;
  /** Calls back whenever a price on the screen has moved. */
  readonly onPrices: (listener: () => void) => void;
  readonly selectExpiry: (expiryTs: number) => void;
  /** Closes the ticket, whose place the tray takes. */
  readonly closeTicket: () => void;
}

export class TrayDesk extends OrderDesk<TrayTerms, ComboPreviewAnswer, TrayMarket> {
  readonly #options: TrayDeskOptions;
  readonly #laying: Laying;
  /** The expiry on the chain before a roll turned it to another. */
  #rolledFromTs: number | null = null;

  constructor(options: TrayDeskOptions) {
    const { ticket, tray, listing } = options.stores;
    super(options, tray, trayForm);
    this.#options = options;
    this.#laying = new Laying(options);
    tray.subscribe((now, before) => {
      const isSame = (['legs', 'qty', 'preset'] as const).every((key) => now[key] === before[key]);
      if (!isSame) options.kept.keep(now);
    });
    // At once: the touch beside the net moves at once, too.
    options.onPrices(() => {
      if (this.order.isOpen) this.follow();
    });
    // The ticket stands in the same place; the legs wait behind it.
    ticket.subscribe(({ isOpen }) => {
      if (isOpen && this.order.isOpen) this.hide();
    });
    listing.subscribe(({ symbol }, before) => {
      if (symbol !== before.symbol && this.order.legs.length > 0) this.end();
    });
  }

  /** Shows the tray with the legs that it has. */
  open(): void {
    this.#options.closeTicket();
    this.dispatch({ type: 'shown' });
    this.previews.now();
  }

  /** Takes over legs as a whole, from an address or from positions; tells why where they are no combo. */
  take({ legs, qty, isClosing, preset = null }: Taken & Partial<Pick<Order, 'preset'>>): void {
    this.#change(() => ({ legs: checked(legs), preset, isClosing, qty }));
  }

  /** Takes over the legs of an address, with kind and quantity where the tab knows them. */
  reopen(legs: readonly SpreadLeg[]): void {
    this.take({ legs, ...this.#options.kept.find(legs, this.#laying.listed) });
  }

  /** Closes these positions of one underlying with one order. */
  closeAll(positions: Parameters<typeof closeOf>[0]): void {
    const taken = closeOf(positions);
    if (taken !== null) this.take(taken);
  }

  /** Moves positions to a later expiry with their strikes, by default the next, and the chain with them. */
  roll(positions: Parameters<typeof rollOf>[0], toExpiryTs?: number): void {
    const { stores, selectExpiry } = this.#options;
    const { strikes, expiryTs } = stores.listing.getState();
    // A second roll begins on the chain that the first has turned.
    const fromTs = this.order.rolls === null ? expiryTs : this.#rolledFromTs;
    this.#change(() => ({ preset: null, ...rollOf(positions, strikes, toExpiryTs) }));
    if (this.order.rolls === null) return;
    selectExpiry(Math.max(...namedLegs(this.order.legs).map((leg) => leg.expiryTs)));
    this.#rolledFromTs = fromTs;
  }

  /** Adds a pressed price: the ask is bought, the bid sold. */
  add(leg: { readonly seriesId: string; readonly side: Side }): void {
    const { isOpen } = this.order;
    this.#changeLegs((legs) => withLeg(legs, leg));
    if (!isOpen) this.dispatch({ type: 'collected' });
  }

  remove(seriesId: string): void {
    this.#changeLegs((legs) => withoutLeg(legs, seriesId));
  }

  turn(seriesId: string): void {
    this.#changeLegs((legs) => turned(legs, seriesId));
  }

  setRatio(seriesId: string, ratio: number): void {
    this.#changeLegs((legs) => withRatio(legs, seriesId, ratio));
  }

  /** Moves a leg to a listed strike of its expiry, in dollars. */
  move(seriesId: string, strike: number): void {
    this.#changeLegs((legs) => atStrike(legs, seriesId, { strike, strikesOf: this.#laying.strikesOf }));
  }

  /** Moves a leg by listed strikes, as far as there are any. */
  step(seriesId: string, strikes: number): void {
    const next = beside(seriesId, strikes, this.#laying.strikesOf);
    if (next !== seriesId) this.#changeLegs((legs) => moved(legs, seriesId, next));
  }

  /** Lays out a preset around the money of the chosen expiry. */
  choose(kind: PresetKind): void {
    this.#change(() => this.#laying.chosen(kind));
  }

  /** Lays the preset out again, wider, further away, of puts, or sold. */
  shape(patch: Partial<Preset>): void {
    const { preset } = this.order;
    if (preset !== null) this.#change(() => this.#laying.laid({ ...preset, ...patch }));
  }

  /** Moves all legs by listed expiries, and the chain with them. */
  turnExpiry(by: 1 | -1): void {
    const before = this.order;
    this.#change(() => this.#laying.turned(before, by));
    const { legs } = this.order;
    if (legs !== before.legs && legs.length > 0)
      this.#options.selectExpiry(Math.min(...namedLegs(legs).map(({ expiryTs }) => expiryTs)));
  }

  /** Keeps the net at a place between the touch (0) and the far touch (1) from now on. */
  slide(place: number): void {
    if (!this.dispatch({ type: 'slid', place })) return;
    this.follow();
    this.previews.soon();
  }

  /** Hides the tray; its legs stay. */
  hide(): void {
    this.previews.stop();
    this.dispatch({ type: 'hidden' });
  }

  /** Empties the tray and hides it. A roll that is given up turns the chain back. */
  override close(): void {
    const fromTs = this.order.rolls === null ? null : this.#rolledFromTs;
    super.close();
    const { expiries } = this.#options.stores.listing.getState();
    if (fromTs !== null && expiries.includes(fromTs)) this.#options.selectExpiry(fromTs);
  }

  /** Only for a person who is signed in: the tray says so itself. */
  override async send(how?: SendHow): Promise<void> {
    if (this.#options.stores.session.getState().state === 'ready') await super.send(how);
  }

  protected override market(): TrayMarket {
    const { stores, quoteOf, settlesNear, venueNow } = this.#options;
    return { holdings: stores.holdings.getState(), quoteOf, settlesNear, nowMs: venueNow() };
  }

  #changeLegs(act: (legs: readonly SpreadLeg[]) => SpreadLeg[]): void {
    this.#change(() => ({ legs: act(this.order.legs), preset: null, isClosing: false }));
  }

  /** Carries a change out, or says why it is not made. The net is at the touch of the new legs then. */
  #change(act: () => Partial<Taken & Pick<Order, 'preset' | 'rolls'>>): void {
    if (this.order.sending !== 'no') return;
    if (!this.order.isOpen) this.open();
    try {
      this.dispatch({ type: 'laid', with: act() });
      this.follow();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.dispatch({ type: 'refused', fault: sentence(error.message) });
    }
    this.previews.now();
  }
}

/** The SDK's reasons begin in lower case and end without a stop. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
