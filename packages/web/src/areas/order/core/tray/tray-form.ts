/** The tray's order of several legs: what it comes to by the market, what to ask about it, and what its answer says. */

import type { ComboPreviewAnswer, Micros } from '@venue/protocol';
import { NotFoundError, type OutcomeUnknownError } from '@venue/sdk/browser';
import type { SettlesNear } from '../../../../market/settles-near.ts';
import { type BatchDone, comboResultOf } from '../../../../session/batches.ts';
import { tradedBy } from '../../../../session/realised.ts';
import type { Holdings } from '../../../../session/state.ts';
import type { Notice } from '../../../notices/core/state.ts';
import { type Advice, adviseRejection, type Why } from '../form/advice.ts';
import type { DeskOptions } from '../form/desk.ts';
import { FOUND, LOST_TEXTS } from '../form/lost-words.ts';
import { NO_LEGS, type Tray } from '../form/order.ts';
import { type Faults, NO_FAULTS, type OrderForm, type Sent, type Settled } from '../form/order-form.ts';
import { sentWords } from './aim.ts';
import { trayCautions } from './cautions.ts';
import { lacksMargin } from './lacks-margin.ts';
import { netAt, netsOf, type QuoteOf, typedNet } from './net.ts';
import { comboWords, recordWords } from './outcome-words.ts';
import { orderOf, type TrayTerms } from './terms.ts';

export interface TrayMarket {
  readonly holdings: Holdings;
  readonly quoteOf: QuoteOf;
  /** The price that a contract's expiry settles near; null but in its last half hour. */
  readonly settlesNear: (seriesId: string) => SettlesNear | null;
  /** By the venue's clock. */
  readonly nowMs: number;
}

export const trayForm: OrderForm<TrayTerms, ComboPreviewAnswer, TrayMarket> = {
  blank: NO_LEGS,
  summary(tray, { nowMs }) {
    const order = orderOf(tray);
    if (order === null) return null;
    const { terms } = order;
    return { ...order, title: sentWords(tray, terms, nowMs), actions: [{ type: 'combo', ...terms }] };
  },
  faults,
  advice,
  followed,
  settled,
  preview: (client, terms) => client.orders.previewCombo(terms),
  lost: async (found, sent, options) => ({
    ...(await lostWords(found, sent.terms, options)),
    title: sent.title,
  }),
};

const MARGIN_OFF = { kind: 'margin-off' } as const;

function faults(tray: Tray, { holdings, quoteOf, settlesNear }: TrayMarket): Faults {
  const order = orderOf(tray);
  if (order === null) return NO_FAULTS;
  const { terms } = order;
  const { preview, isClosing, legs } = tray;
  if (preview?.status === 'rejected' || lacksMargin(terms, holdings)) return NO_FAULTS;
  const bought = legs.map((leg) => ({ ...leg, side: 'buy' }) as const);
  const prices = { nets: netsOf(legs, quoteOf), gross: netsOf(bought, quoteOf).mid };
  const { positions } = holdings;
  const cautions = trayCautions({ terms, preview, ...prices, isClosing, positions, settlesNear });
  return { bar: null, cautions };
}

function advice({ preview, ...tray }: Tray, { holdings }: TrayMarket): Advice | null {
  const order = orderOf(tray);
  if (order === null) return null;
  if (lacksMargin(order.terms, holdings)) return MARGIN_OFF;
  return preview?.reason === undefined ? null : adviceOf(preview, order.qtyMicros);
}

/** The net at its place between the books, unless it was typed, is being sent, or waits to be confirmed. */
function followed(
  { legs, place, price, isCredit, sending, cautions }: Tray,
  { quoteOf }: TrayMarket,
): Pick<Tray, 'price' | 'isCredit'> | null {
  if (place === null || legs.length === 0 || sending !== 'no' || cautions.length > 0) return null;
  const next = typedNet(netAt(netsOf(legs, quoteOf), place));
  const isSame = next.price === price && next.isCredit === isCredit;
  return next.price === '' || isSame ? null : next;
}

const NOTHING_TRADED: Advice = {
  kind: 'explain',
  text: 'Nothing rests and nothing was charged. Move the price towards the touch.',
};

function settled(
  done: BatchDone,
  { terms, qtyMicros, title }: Sent<TrayTerms>,
  { holdings, nowMs }: TrayMarket,
): Settled {
  const result = comboResultOf(done);
  if (result.status === 'rejected') {
    const text = result.reason;
    const message = { text, advice: adviceOf(result, qtyMicros), of: 'account' } as const;
    return { card: { tone: 'warning', title: `Not placed: ${title}`, text }, message };
  }
  const { tone, text } = comboWords(terms, result.fills, nowMs);
  const trade = tradedBy(result.orderId, result.fills);
  const card = { tone, title, text: `${done.isRecovered ? FOUND : ''}${text}`, trade };
  if (result.fills.length > 0) return { card, message: null };
  // The books decide before the margin does, and a better price would only meet its refusal.
  return lacksMargin(terms, holdings)
    ? { card, message: { text, advice: MARGIN_OFF, of: 'account' } }
    : { card, message: { text, advice: NOTHING_TRADED, of: 'attempt' } };
}

/** A refusal that another quantity, margin or deposit would pass; a combo has no mark to make a limit of. */
function adviceOf(why: Why, qtyMicros: Micros): Advice {
  const advice = adviseRejection(why, { qtyMicros, markMicros: null });
  if (advice.kind !== 'make-limit') return advice;
  return {
    kind: 'explain',
    text: 'A leg has nobody on the other side of its book. Move it to another strike.',
  };
}

/** The venue has a record of an order that was carried out, by the client's id, and none of one that was declined. */
async function lostWords(
  { verdict, clientIds: [clientId] }: OutcomeUnknownError,
  terms: TrayTerms,
  { client, venueNow }: Pick<DeskOptions, 'client' | 'venueNow'>,
): Promise<Pick<Notice, 'tone' | 'text'>> {
  if (verdict !== 'carried out') return { tone: 'warning', text: LOST_TEXTS[verdict] };
  try {
    const record = await client.orders.find({ clientId: clientId! });
    return recordWords(terms, record, venueNow());
  } catch (error) {
    if (error instanceof NotFoundError) return recordWords(terms, null, venueNow());
    const text = 'The venue received it, but what became of it could not be read. Check your fills.';
    return { tone: 'warning', text };
  }
}
