/** Account actions outside the ticket: cancels, the margin switch, buying back. Failures become notices. */

import type { MarginMode, Micros, OpenOrder } from '@venue/protocol';
import { type Action, OutcomeUnknownError, type VenueClient } from '@venue/sdk/browser';
import { messageOf } from '../../../basics/failure-words.ts';
import { formatSize } from '../../../basics/numbers.ts';
import {
  type AmendAction,
  type AnsweredAccount,
  type BatchDone,
  placeResultOf,
  type SendBatch,
} from '../../../session/batches.ts';
import { tradedBy } from '../../../session/realised.ts';
import type { Send } from '../../../session/sending.ts';
import type { SessionStores } from '../../../session/state.ts';
import type { Notices } from '../../notices/core/notices.ts';
import type { Notice } from '../../notices/core/state.ts';
import { adviseRejection, type Why } from '../../order/core/form/advice.ts';
import {
  knownOrderIds,
  type LostOrder,
  lostOrderWords,
  recoveredText,
} from '../../order/core/form/lost-words.ts';
import { resultOf } from '../../order/core/form/result.ts';
import type { TicketTerms } from '../../order/core/ticket/terms.ts';
import { filledOf } from './order-edit.ts';

export interface AccountActionsOptions {
  readonly client: VenueClient;
  readonly stores: Pick<SessionStores, 'holdings'>;
  readonly notices: Notices;
  readonly send: Send;
  readonly sendBatch: SendBatch;
  readonly onAccount: (answered: AnsweredAccount) => void;
  /** Human-readable name of the contract. */
  readonly labelOf: (seriesId: string) => string;
}

/** The result of an action. */
interface Done extends AnsweredAccount, Pick<Notice, 'text' | 'lines' | 'trade'> {
  readonly tone?: Notice['tone'];
}

export class AccountActions {
  readonly #options: AccountActionsOptions;

  constructor(options: AccountActionsOptions) {
    this.#options = options;
  }

  cancelOrder(orderId: number): Promise<void> {
    return this.#run(`Cancel ${this.#nameOf(orderId)}`, async () => {
      const done = await this.#options.sendBatch([{ type: 'cancel', orderId }]);
      const [result] = done.results;
      const isGone = result?.type === 'cancel' && !result.ok;
      return { ...done, text: isGone ? 'It had already left the book.' : 'Cancelled.' };
    });
  }

  cancelAll(symbols?: readonly string[]): Promise<void> {
    return this.#run(
      symbols === undefined ? 'Cancel all orders' : `Cancel all ${symbols.join(', ')} orders`,
      async () => {
        const scope = symbols === undefined ? {} : { symbols: [...symbols] };
        const done = await this.#options.sendBatch([{ type: 'cancel-all', ...scope }]);
        return { ...done, text: pulledText(done) };
      },
    );
  }

  /** Turns margin on or off; the card also says the mode that was set with it. */
  setMargin(isEnabled: boolean, mode?: MarginMode): Promise<void> {
    const name = mode === 'defined-risk' ? 'Defined-risk margin' : 'Margin';
    return this.#run(`${name} ${isEnabled ? 'on' : 'off'}`, async ({ orders }) => {
      const { account } = await orders.setMargin(isEnabled);
      if (!isEnabled) return { account, text: 'You can no longer sell short.' };
      return { account, text: mode === undefined ? 'You can sell short now.' : MODE_WORDS[mode].text };
    });
  }

  /**
   * Switches how shorts are margined (DRM-1), and with `turnsOn` turns margin on after that. Returns null once it is done,
   * and else why not, in a sentence for the place of the switch.
   */
  async setMarginMode(mode: MarginMode, { turnsOn }: { readonly turnsOn: boolean }): Promise<string | null> {
    const { stores, notices, send, sendBatch, onAccount } = this.#options;
    try {
      const done = await send(() => sendBatch([{ type: 'margin-mode', mode }]));
      onAccount(done);
      const refused = modeRefusal(done);
      if (refused !== null) return refusalText(refused);
      stores.holdings.setState({ marginMode: mode });
      // It may have been declined: the account's report says it.
      if (done.isRecovered) return UNKNOWN_TEXTS['carried out'];
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) return `Nothing was changed: ${messageOf(error)}.`;
      if (error.account !== null) onAccount({ account: error.account });
      return UNKNOWN_TEXTS[error.verdict];
    }
    if (turnsOn) await this.setMargin(true, mode);
    else notices.add({ tone: 'good', ...MODE_WORDS[mode] });
    return null;
  }

  /** Sends an order with one press; the button states all its terms. */
  place(terms: TicketTerms): Promise<void> {
    const title = `${terms.side === 'buy' ? 'Buy' : 'Sell'} ${terms.qty} ${this.#options.labelOf(terms.seriesId)}`;
    const knownIds = knownOrderIds(this.#options.stores.holdings.getState());
    const act = async (): Promise<Done> => {
      const done = await this.#options.sendBatch([{ type: 'place', ...terms }]);
      return { ...done, ...placedWords(done, terms) };
    };
    return this.#run(title, act, { words: title, qty: terms.qty, knownIds });
  }

  /** Sends actions in one batch, with a card in the caller's words. */
  sendAll(
    title: string,
    actions: readonly Action[],
    wordsOf: (done: BatchDone) => Pick<Done, 'text' | 'tone' | 'lines'>,
  ): Promise<void> {
    return this.#run(title, async () => {
      const done = await this.#options.sendBatch(actions);
      return { ...done, ...wordsOf(done) };
    });
  }

  /**
   * Changes a resting order in place (AMD-1). Returns null once it is changed, and else a sentence that says why not:
   * the row shows it, beside the edit that the person may go on with.
   */
  async amend(order: OpenOrder, action: AmendAction): Promise<string | null> {
    const { send, sendBatch, onAccount, notices, labelOf } = this.#options;
    const title = `Change ${orderName(order, labelOf)}`;
    try {
      const done = await send(() => sendBatch([action]));
      onAccount(done);
      const result = placeResultOf(done);
      if (result.status === 'rejected') return refusalText(result);
      const terms = { qty: Number(action.qty ?? order.qty), price: Number(action.price ?? order.price) };
      notices.add({ title, ...amendedWords(done, terms, order) });
      return null;
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) return `Nothing was changed: ${messageOf(error)}.`;
      if (error.account !== null) onAccount({ account: error.account });
      return UNKNOWN_TEXTS[error.verdict];
    }
  }

  /** The order as its row names it; by its number once it has left the books. */
  #nameOf(orderId: number): string {
    const { stores, labelOf } = this.#options;
    const all = [...stores.holdings.getState().orders.values()].flat();
    const order = all.find(({ id }) => id === orderId);
    return order === undefined ? `order ${orderId}` : orderName(order, labelOf);
  }

  async #run(
    title: string,
    act: (client: VenueClient) => Promise<Done>,
    order: LostOrder | null = null,
  ): Promise<void> {
    const { client, notices, send, onAccount } = this.#options;
    try {
      const { text, lines, trade, tone = 'good', ...answered } = await send(() => act(client));
      onAccount(answered);
      notices.add({
        tone,
        title,
        text,
        ...(lines !== undefined && { lines }),
        ...(trade !== undefined && { trade }),
      });
    } catch (error) {
      if (error instanceof OutcomeUnknownError) this.#onUnknown(title, error, order);
      else notices.add({ tone: 'warning', title: `${title}: failed`, text: messageOf(error) });
    }
  }

  #onUnknown(title: string, lost: OutcomeUnknownError, order: LostOrder | null): void {
    const { notices, onAccount } = this.#options;
    if (lost.account !== null) onAccount({ account: lost.account });
    if (order !== null) notices.add(lostOrderWords(lost, order));
    else notices.add({ tone: 'warning', title: `${title}: no answer`, text: UNKNOWN_TEXTS[lost.verdict] });
  }
}

const UNKNOWN_TEXTS = {
  'carried out': 'The venue received it. Your account shows the result.',
  'not carried out': 'It never reached the venue. You can try again.',
  unknown: 'It is not yet known whether it went through. Check your account before you try again.',
} as const;

const MODE_WORDS: Readonly<Record<MarginMode, Pick<Notice, 'title' | 'text'>>> = {
  'defined-risk': {
    title: 'Defined-risk margin',
    text: 'Longs cover shorts of their expiry now: a spread locks what it can lose.',
  },
  'per-leg': { title: 'Margin leg by leg', text: 'Each short locks margin now as if it stood alone.' },
};

/** `buy 1 BTC 28 Nov 95,000 call` */
function orderName(
  { side, remaining, seriesId }: Pick<OpenOrder, 'side' | 'remaining' | 'seriesId'>,
  labelOf: (seriesId: string) => string,
): string {
  return `${side} ${formatSize(remaining)} ${labelOf(seriesId)}`;
}

interface Refused extends Why {
  readonly reason?: string;
}

/** Null where it was granted, and for a lost answer, which does not say. */
function modeRefusal({ results: [result], isRecovered }: BatchDone): Refused | null {
  if (isRecovered) return null;
  if (result?.type !== 'margin-mode') throw new Error('the venue left out the result');
  return result.ok ? null : result;
}

type Words = Pick<Done, 'text' | 'tone' | 'trade'>;

function placedWords(done: BatchDone, terms: TicketTerms): Words {
  const answer = placeResultOf(done);
  if (answer.status === 'rejected') return { text: answer.reason, tone: 'warning' };
  const { kind, text } = resultOf(answer, terms);
  return {
    text: done.isRecovered ? recoveredText(text) : text,
    tone: kind === 'filled' ? 'good' : 'plain',
    trade: tradedBy(answer.orderId, answer.fills),
  };
}

/** The effect of an amended order and where it rests; earlier fills are no part of the answer. */
function amendedWords(
  done: BatchDone,
  { qty, price }: { readonly qty: number; readonly price: number },
  before: OpenOrder,
): Required<Pick<Words, 'text' | 'tone'>> {
  const result = placeResultOf(done);
  if (done.isRecovered)
    return { tone: 'good', text: 'The confirmation was lost, but the change was carried out.' };
  if (result.status === 'cancelled') return { tone: 'plain', text: 'The rest is cancelled.' };
  const { text } = resultOf(result, { qty: qty - filledOf(before), price });
  return { tone: 'good', text: `Now ${text}.` };
}

/** The venue's words and what they mean, for the row of the order. */
function refusalText(refused: Refused): string {
  const { reason = 'no reason was given' } = refused;
  const advice = adviseRejection(refused, { qtyMicros: 0 as Micros, markMicros: null });
  return advice.kind === 'explain' ? advice.text : `The venue declined the change: ${reason}.`;
}

function pulledText({ results: [result] }: BatchDone): string {
  if (result?.type !== 'cancel-all' || result.pulled === null)
    return 'The confirmation was lost, but the venue has carried it out.';
  return result.pulled === 1 ? '1 order cancelled.' : `${result.pulled} orders cancelled.`;
}
