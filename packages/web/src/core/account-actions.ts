/** What a person does with the account outside of the ticket: cancels, the margin switch. What goes wrong becomes a notice. */

import type { Account } from '@venue/protocol';
import { OutcomeUnknownError, type VenueClient } from '@venue/sdk/browser';
import type { Notices } from './notices.ts';

export interface AccountActionsOptions {
  readonly client: VenueClient;
  readonly notices: Notices;
  readonly onAccount: (account: Account) => void;
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
    return this.#run(`Cancel ${symbols?.join(', ') ?? 'all'} orders`, async ({ orders }) => {
      const { pulled, account } = await orders.cancel(symbols);
      return { account, text: `${pulled} cancelled.` };
    });
  }

  setMargin(isEnabled: boolean): Promise<void> {
    return this.#run(isEnabled ? 'Margin on' : 'Margin off', async ({ orders }) => {
      const { account } = await orders.setMargin(isEnabled);
      return { account, text: isEnabled ? 'You can sell short now.' : 'Shorts are off.' };
    });
  }

  async #run(
    title: string,
    act: (client: VenueClient) => Promise<{ account: Account; text: string }>,
  ): Promise<void> {
    const { client, notices, onAccount } = this.#options;
    try {
      const { account, text } = await act(client);
      onAccount(account);
      notices.add({ tone: 'good', title, text });
    } catch (error) {
      if (error instanceof OutcomeUnknownError && error.account !== null) onAccount(error.account);
      notices.add({ tone: 'warning', title: `${title}: not done`, text: messageOf(error) });
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
