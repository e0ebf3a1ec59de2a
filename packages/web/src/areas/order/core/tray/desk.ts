/** Runs the strategy tray: collects legs, previews what they would do, and sends them as one combo (CMB-1). */

import type { ComboPreviewAnswer } from '@venue/protocol';
import type { OutcomeUnknownError } from '@venue/sdk/browser';
import type { SpreadLeg } from '@venue/sdk/spreads';
import type { Side } from '../../../../market/touch.ts';
import { type BatchDone, comboResultOf } from '../../../../session/batches.ts';
import { tradedBy } from '../../../../session/realised.ts';
import type { DeskOptions } from '../form/desk-options.ts';
import type { Advice } from '../form/advice.ts';
import { OrderFlight } from '../form/order-flight.ts';
import { PreviewLoop } from '../form/preview-loop.ts';
import { sentWords } from './aim.ts';
import { type TrayFacts, trayCautions } from './cautions.ts';
import { closeOf, rollOf, type Taken } from './closing.ts';
import type { KeptTray } from './kept-tray.ts';
import { lacksMargin } from './lacks-margin.ts';
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
import { netAt, netsOf, typedNet } from './net.ts';
import { adviceOf, lostWords, NOTHING_TRADED } from './outcome.ts';
import { comboWords } from './outcome-words.ts';
import { EMPTY_TRAY, type Preset, type PresetKind, type Tray } from './state.ts';
import { cutoffMs, orderOf, type TrayOrder, type TrayTerms } from './terms.ts';

export interface TrayDeskOptions extends DeskOptions, Omit<LayingOptions, 'stores'> {
  /** The price that a contract's expiry settles near; null but in its last half hour. */
  readonly settlesNear: TrayFacts['settlesNear'];
  readonly kept: Pick<KeptTray, 'keep' | 'find'>;
  /** Calls back whenever a price on the screen has moved. */
  readonly onPrices: (listener: () => void) => void;
  readonly selectExpiry: (expiryTs: number) => void;
  /** Closes the ticket, whose place the tray takes. */
  readonly closeTicket: () => void;
}

/** A combo that was sent and not answered yet. */
interface Sent extends TrayOrder {
  readonly trayNo: number;
  readonly words: string;
}

export class TrayDesk {
  readonly #options: TrayDeskOptions;
  readonly #laying: Laying;
  /** Number of the current order: an answer for another one only becomes a notice. */
  #trayNo = 0;
  readonly #flight: OrderFlight<Sent>;
  readonly #previews: PreviewLoop<TrayTerms, ComboPreviewAnswer>;
  /** The expiry on the chain before a roll turned it to another. */
  #rolledFromTs: number | null = null;

  constructor(options: TrayDeskOptions) {
    this.#options = options;
    this.#laying = new Laying(options);
    this.#flight = new OrderFlight({
      notices: options.notices,
      now: options.now ?? Date.now,
      isAtWork: ({ trayNo }) => trayNo === this.#trayNo,
      show: (shown) => options.stores.tray.setState(shown),
      wordsOf: ({ words }) => words,
      onAnswer: (done, sent) => this.#onAnswer(done, sent),
      tell: (found, sent) => this.#tell(found, sent),
      close: () => this.#empty(),
    });
    const { session, ticket, listing, holdings, tray } = options.stores;
    this.#previews = new PreviewLoop({
      isOpen: () => this.#tray.isOpen && !this.#isOver(),
      terms: () => this.#followedTerms(),
      isSignedIn: () => session.getState().state === 'ready',
      take: options.take,
      ask: (terms) => options.send(() => options.client.orders.previewCombo(terms)),
      onAnswer: (preview) => this.#onPreview(preview),
      onNone: (previewFault) => tray.setState({ preview: null, previewFault }),
    });
    tray.subscribe((now, before) => {
      const isSame = (['legs', 'qty', 'preset'] as const).every((key) => now[key] === before[key]);
      if (!isSame) options.kept.keep(now);
    });
    session.subscribe(({ state }, before) => {
      if (state === 'ready' && before.state !== 'ready') this.#rethink();
    });
    holdings.subscribe(({ account }, before) => {
      if (account?.marginEnabled !== before.account?.marginEnabled) this.#rethink();
    });
    options.onPrices(() => this.#followPrices());
    // The ticket stands in the same place; the legs wait behind it.
    ticket.subscribe(({ seriesId }) => {
      if (seriesId !== null && this.#tray.isOpen) this.#hide();
    });
    listing.subscribe(({ symbol }, before) => {
      if (symbol !== before.symbol && this.#tray.legs.length > 0) this.#empty();
    });
  }

  /** Shows the tray with the legs that it has. */
  open(): void {
    this.#options.closeTicket();
    this.#options.stores.tray.setState({ isOpen: true, isCollecting: false });
    this.#previews.now();
  }

  /** Takes over legs as a whole, from an address or from positions; tells why where they are no combo. */
  take({ legs, qty, isClosing, preset = null }: Taken & Partial<Pick<Tray, 'preset'>>): void {
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
    const fromTs = this.#tray.rolls === null ? expiryTs : this.#rolledFromTs;
    this.#change(() => ({ preset: null, ...rollOf(positions, strikes, toExpiryTs) }));
    if (this.#tray.rolls === null) return;
    selectExpiry(Math.max(...namedLegs(this.#tray.legs).map((leg) => leg.expiryTs)));
    this.#rolledFromTs = fromTs;
  }

  /** Adds a pressed price: the ask is bought, the bid sold. */
  add(leg: { readonly seriesId: string; readonly side: Side }): void {
    const { isOpen } = this.#tray;
    this.#changeLegs((legs) => withLeg(legs, leg));
    if (!isOpen) this.#options.stores.tray.setState({ isCollecting: true });
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

  /** Moves a leg by listed strikes, as far as there are any; returns its series then. */
  step(seriesId: string, strikes: number): string {
    const next = beside(seriesId, strikes, this.#laying.strikesOf);
    if (next === seriesId) return seriesId;
    this.#changeLegs((legs) => moved(legs, seriesId, next));
    return this.#tray.legs.some((one) => one.seriesId === next) ? next : seriesId;
  }

  /** Lays out a preset around the money of the chosen expiry. */
  choose(kind: PresetKind): void {
    this.#change(() => this.#laying.chosen(kind));
  }

  /** Lays the preset out anew, wider, further away, of puts, or sold. */
  shape(patch: Partial<Preset>): void {
    const { preset } = this.#tray;
    if (preset !== null) this.#change(() => this.#laying.laid({ ...preset, ...patch }));
  }

  /** Moves all legs by listed expiries, and the chain with them. */
  turnExpiry(by: 1 | -1): void {
    const before = this.#tray;
    this.#change(() => this.#laying.turned(before, by));
    const { legs } = this.#tray;
    if (legs !== before.legs && legs.length > 0)
      this.#options.selectExpiry(Math.min(...namedLegs(legs).map(({ expiryTs }) => expiryTs)));
  }

  /** Ignored while an order is being sent. */
  edit(patch: Partial<Pick<Tray, 'qty' | 'net' | 'isCredit' | 'isWhole'>>): void {
    const { tray } = this.#options.stores;
    if (this.#tray.sending !== 'no') return;
    // A minus says the same as the switch beside the field.
    const [, minus, amount] = /^\s*([-−]?)\s*(.*)$/s.exec(patch.net ?? '') ?? [];
    const net = patch.net === undefined || minus === '' ? {} : { net: amount ?? '', isCredit: true };
    const isTyped = patch.net !== undefined || patch.isCredit !== undefined;
    tray.setState({ ...patch, ...net, ...(isTyped && { place: null }), ...NOT_ASKED });
    this.#previews.soon();
  }

  /** Keeps the net at a place between the touch (0) and the far touch (1) from now on. */
  slide(place: number): void {
    if (this.#tray.sending !== 'no') return;
    this.#options.stores.tray.setState({ place, ...NOT_ASKED });
    this.#follow();
    this.#previews.soon();
  }

  /** Hides the tray; its legs stay. */
  hide(): void {
    this.#hide();
  }

  /** Empties the tray and hides it. A roll that is given up turns the chain back. */
  close(): void {
    const fromTs = this.#tray.rolls === null ? null : this.#rolledFromTs;
    this.#empty();
    const { expiries } = this.#options.stores.listing.getState();
    if (fromTs !== null && expiries.includes(fromTs)) this.#options.selectExpiry(fromTs);
  }

  #empty(): void {
    this.#previews.stop();
    this.#trayNo += 1;
    this.#options.stores.tray.setState(EMPTY_TRAY);
  }

  /** Sends the combo once. The result goes to the notices, the advice to the tray. */
  async send(): Promise<void> {
    const { stores, send, sendBatch } = this.#options;
    const state = this.#tray;
    const order = orderOf(state);
    const isReady = stores.session.getState().state === 'ready' && !this.#isOver();
    if (order === null || !isReady || state.sending !== 'no' || this.#mustAsk(state, order.terms)) return;
    stores.tray.setState({ sending: 'sending', advice: null, cautions: [] });
    const words = sentWords(state, order.terms, this.#options.venueNow());
    const sent: Sent = { ...order, words, trayNo: this.#trayNo };
    const action = { type: 'combo', ...order.terms } as const;
    await this.#flight.begin(sent, (until) => send(() => sendBatch([action], until)));
  }

  /** Calls an order off that may not have left. */
  callOff(): void {
    this.#flight.callOff();
  }

  /** Searches again for an order without an answer, after the page has given up. */
  async lookAgain(): Promise<void> {
    await this.#flight.lookAgain();
  }

  /** Advice on a preview's refusal, before the order is sent at all. */
  adviceOnPreview({ preview, ...tray }: Tray): Advice | null {
    const order = orderOf(tray);
    if (order === null) return null;
    if (this.#lacksMargin(order.terms)) return { kind: 'margin-off' };
    if (preview?.reason === undefined) return null;
    return adviceOf(preview, order.qtyMicros);
  }

  #lacksMargin(terms: TrayTerms): boolean {
    return lacksMargin(terms, this.#options.stores.holdings.getState());
  }

  get #tray(): Tray {
    return this.#options.stores.tray.getState();
  }

  #changeLegs(act: (legs: readonly SpreadLeg[]) => SpreadLeg[]): void {
    this.#change(() => ({ legs: act(this.#tray.legs), preset: null, isClosing: false }));
  }

  /** Carries a change out, or says why it is not made. The net is at the touch of the new legs then. */
  #change(act: () => Partial<Tray>): void {
    const { tray } = this.#options.stores;
    if (this.#tray.sending !== 'no') return;
    if (!this.#tray.isOpen) this.open();
    try {
      const next = act();
      this.#trayNo += 1;
      tray.setState({ rolls: null, ...next, ...NOT_ASKED, fault: null, net: '', isCredit: false, place: 0 });
      this.#follow();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      tray.setState({ fault: sentence(error.message) });
    }
    this.#previews.now();
  }

  /** At once: the touch beside the net moves at once, too. */
  #followPrices(): void {
    if (this.#tray.isOpen) this.#follow();
  }

  /** Keeps the net at its place between the books, unless it was typed, is being sent, or waits to be confirmed. */
  #follow(): void {
    const { legs, place, net, isCredit, sending, cautions } = this.#tray;
    if (place === null || legs.length === 0 || sending !== 'no' || cautions.length > 0) return;
    const next = typedNet(netAt(netsOf(legs, this.#options.quoteOf), place));
    if (next.net !== '' && (next.net !== net || next.isCredit !== isCredit))
      this.#options.stores.tray.setState(next);
  }

  #isOver(): boolean {
    return this.#options.venueNow() >= cutoffMs(this.#tray.legs);
  }

  /** The first press asks for confirmation, the second one sends. */
  #mustAsk({ cautions: asked, preview, isClosing, legs }: Tray, terms: TrayTerms): boolean {
    // An order that will be refused does no harm.
    if (asked.length > 0 || preview?.status === 'rejected' || this.#lacksMargin(terms)) return false;
    const { stores, quoteOf, settlesNear } = this.#options;
    const { positions } = stores.holdings.getState();
    const bought = legs.map((leg) => ({ ...leg, side: 'buy' }) as const);
    const prices = { nets: netsOf(legs, quoteOf), gross: netsOf(bought, quoteOf).mid };
    const cautions = trayCautions({ terms, preview, ...prices, isClosing, positions, settlesNear });
    stores.tray.setState({ cautions });
    return cautions.length > 0;
  }

  #onAnswer(done: BatchDone, sent: Sent): void {
    const { notices, onAccount, venueNow } = this.#options;
    const result = comboResultOf(done);
    onAccount(done);
    if (result.status === 'rejected') {
      const advice = adviceOf(result, sent.qtyMicros);
      notices.add({ tone: 'warning', title: `Not placed: ${sent.words}`, text: result.reason });
      if (sent.trayNo === this.#trayNo) this.#flight.advise({ text: result.reason, advice, of: 'account' });
      return;
    }
    const { tone, text } = comboWords(sent.terms, result.fills, venueNow());
    const lost = done.isRecovered ? 'The confirmation was lost, and the order was found at the venue: ' : '';
    const trade = tradedBy(result.orderId, result.fills);
    notices.add({ tone, title: sent.words, text: `${lost}${text}`, trade });
    if (sent.trayNo !== this.#trayNo) return;
    if (result.fills.length > 0) this.#empty();
    else {
      // The books decide before the margin does, and a better price would only meet its refusal.
      const advice = this.#lacksMargin(sent.terms) ? ({ kind: 'margin-off' } as const) : NOTHING_TRADED;
      this.#flight.advise({ text, advice, of: 'attempt' });
    }
  }

  async #tell(found: OutcomeUnknownError, sent: Sent): Promise<void> {
    const { notices, onAccount } = this.#options;
    if (found.account !== null) onAccount({ account: found.account });
    const words = await lostWords(found, sent.terms, this.#options);
    notices.add({ ...words, title: sent.words, isSticky: true });
  }

  /** What was said depended on the session or the margin, which have changed. */
  #rethink(): void {
    if (!this.#tray.isOpen || this.#tray.sending !== 'no') return;
    this.#options.stores.tray.setState(NOT_ASKED);
    this.#previews.now();
  }

  #hide(): void {
    this.#previews.stop();
    this.#options.stores.tray.setState({ isOpen: false });
  }

  /** The order with the net that the books give it now. */
  #followedTerms(): TrayTerms | null {
    this.#follow();
    return orderOf(this.#tray)?.terms ?? null;
  }

  #onPreview(preview: ComboPreviewAnswer): void {
    const isOld = this.#tray.advice?.of === 'account';
    const isRefused = preview.status === 'rejected';
    this.#options.stores.tray.setState({
      ...{ preview, previewFault: null },
      ...(isOld && { advice: null }),
      ...(isRefused && { cautions: [] }),
    });
  }
}

/** The state that a change of the order clears. */
const NOT_ASKED = { preview: null, previewFault: null, advice: null, cautions: [] } as const;

/** The SDK's reasons begin in lower case and end without a stop. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
