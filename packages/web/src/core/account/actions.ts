/** Account actions outside the ticket: cancels, the margin switch, buying back. Failures become notices. */

import type { Account } from '@venue/protocol';
import { type OrderTerms, OutcomeUnknownError, type VenueClient } from '@venue/sdk/browser';
import { messageOf } from '../failure-words.ts';
import type { Notices } from '../notices.ts';
import type { Send } from '../session/sending.ts';
import type { Notice, Stores } from '../stores.ts';
import { resultOf } from '../ticket/order-errors.ts';
import { knownOrderIds, type LostOrder, lostOrderWords } from '../ticket/outcome-words.ts';

export interface AccountActionsOptions {
  readonly client: VenueClient;
  readonly stores: Pick<Stores, 'holdings'>;
  readonly notices: Notices;
  readonly send: Send;
  readonly onAccount: (account: Account) => void;
  /** Human-readable name of the contract. */
  readonly labelOf: (seriesId: string) => string;
}

/** The result of an action. */
interface Done extends Pick<Notice, 'text'> {
  readonly account: Account;
  readonly tone?: Notice['tone'];
}

export class AccountActions {
  readonly #options: AccountActionsOptions;

  constructor(options: AccountActionsOptions) {
    this.#options = options;
  }

  cancelOrder(orderId: number): Promise<void> {
    return this.#run(`Cancel order ${orderId}`, async ({ orders }) => {
      const { ok, account } = await orders.cancelOrder(orderId);
      return { account, text: ok ? 'Cancelled.' : 'It had already left the book.' };
    });
  }

  cancelAll(symbols?: readonly string[]): Promise<void> {
    return this.#run(
      symbols === undefined ? 'Cancel all orders' : `Cancel all ${symbols.join(', ')} orders`,
      async ({ orders }) => {
        const { pulled, account } = await orders.cancel(symbols);
        return { account, text: pulled === 1 ? '1 order cancelled.' : `${pulled} orders cancelled.` };
      },
    );
  }

  setMargin(isEnabled: boolean): Promise<void> {
    return this.#run(isEnabled ? 'Margin on' : 'Margin off', async ({ orders }) => {
      const { account } = await orders.setMargin(isEnabled);
      return { account, text: isEnabled ? 'You can sell short now.' : 'You can no longer sell short.' };
    });
  }

  /** Sends an order with one press; the button states all its terms. */
  place(terms: OrderTerms): Promise<void> {
    const title = `${terms.side === 'buy' ? 'Buy' : 'Sell'} ${terms.qty} ${this.#options.labelOf(terms.seriesId)}`;
    const knownIds = knownOrderIds(this.#options.stores.holdings.getState());
    const act = async ({ orders }: VenueClient): Promise<Done> => {
      const answer = await orders.place(terms);
      const { account } = answer;
      if (answer.status === 'rejected') return { account, text: answer.reason, tone: 'warning' };
      const { kind, text } = resultOf(answer, terms);
      return { account, text, tone: kind === 'filled' ? 'good' : 'plain' };
    };
    return this.#run(title, act, { words: title, qty: terms.qty, knownIds });
  }

  async #run(
    title: string,
    act: (client: VenueClient) => Promise<Done>,
    order: LostOrder | null = null,
  ): Promise<void> {
    const { client, notices, send, onAccount } = this.#options;
    try {
      const { account, text, tone = 'good' } = await send(() => act(client));
      onAccount(account);
      notices.add({ tone, title, text });
    } catch (error) {
      if (error instanceof OutcomeUnknownError) this.#onUnknown(title, error, order);
      else notices.add({ tone: 'warning', title: `${title}: failed`, text: messageOf(error) });
    }
  }

  #onUnknown(title: string, lost: OutcomeUnknownError, order: LostOrder | null): void {
    const { notices, onAccount } = this.#options;
    if (lost.account !== null) onAccount(lost.account);
    if (order !== null) notices.add(lostOrderWords(lost, order));
    else notices.add({ tone: 'warning', title: `${title}: no answer`, text: UNKNOWN_TEXTS[lost.verdict] });
  }
}

const UNKNOWN_TEXTS = {
  'carried out': 'The venue received it. Your account shows the result.',
  'not carried out': 'It never reached the venue. You can try again.',
  unknown: 'It is not yet known whether it went through. Check your account before you try again.',
} as const;
