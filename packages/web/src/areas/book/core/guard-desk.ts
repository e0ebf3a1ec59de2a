/**
 * The account's guard: while this page renews it nothing happens, and once it does not, the venue takes all resting orders
 * off the books (GRD-1).
 */

import { type Guard, OutcomeUnknownError, type VenueClient } from '@venue/sdk/browser';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { messageOf } from '../../../basics/failure-words.ts';
import type { Send } from '../../../session/sending.ts';

export interface GuardState {
  /** Unix ms by the venue's clock at which the orders leave; null without a guard, undefined before it is known. */
  readonly at: number | null | undefined;
  /** Length in ms of the guard that this page renews; null where it renews none. */
  readonly ms: number | null;
  readonly isSending: boolean;
  /** Why the last attempt changed nothing. */
  readonly fault: string | null;
}

const UNKNOWN: GuardState = { at: undefined, ms: null, isSending: false, fault: null };

export interface GuardDeskOptions {
  readonly client: Pick<VenueClient, 'account' | 'orders'>;
  readonly send: Send;
  readonly venueNow: () => number;
}

export class GuardDesk {
  readonly state: StoreApi<GuardState> = createStore(() => UNKNOWN);
  readonly #options: GuardDeskOptions;
  #guard: Guard | null = null;
  /** Answers of an account that has signed out meanwhile are of no use. */
  #runs = 0;

  constructor(options: GuardDeskOptions) {
    this.#options = options;
  }

  /** Reads whether there is one: another program of the account may have set it, or this page before it was loaded again. */
  async look(): Promise<void> {
    const { client, send } = this.#options;
    const run = this.#runs;
    if (this.#guard !== null || this.state.getState().isSending) return;
    const account = await send(() => client.account.me()).catch(() => null);
    const isMeanwhileSet = this.#guard !== null || this.state.getState().isSending;
    if (account === null || run !== this.#runs || isMeanwhileSet) return;
    this.state.setState({ at: account.guardAt ?? null });
  }

  /** Sets it, and renews it for as long as the page is there. */
  set(ms: number): Promise<void> {
    return this.#change(async (run) => {
      const before = this.#guard;
      const guard = await this.#options.client.orders.guard(ms);
      // The one before goes on being renewed until another stands.
      void before?.stop();
      if (run !== this.#runs) return guard.stop();
      this.#guard = guard;
      this.state.setState({ ms, at: null });
    });
  }

  /** Takes it away, even if set elsewhere: the orders go on resting. */
  remove(): Promise<void> {
    return this.#change(async () => {
      const guard = this.#guard;
      // It is renewed no more, whatever comes of it.
      this.#guard = null;
      this.state.setState({ ms: null });
      if (guard !== null) await guard.remove();
      else await this.#options.client.orders.batch([{ type: 'guard', ms: 0 }]);
      this.state.setState({ at: null });
    });
  }

  /** Time until the orders leave, unless it is renewed before; null without a guard. */
  get leftMs(): number | null {
    if (this.#guard !== null) return this.#guard.leftMs;
    const { at } = this.state.getState();
    return at == null ? null : at - this.#options.venueNow();
  }

  /** The account has signed out: what it has set stands until it is due. */
  end(): void {
    this.#runs += 1;
    void this.#guard?.stop();
    this.#guard = null;
    this.state.setState(UNKNOWN, true);
  }

  async #change(act: (run: number) => Promise<void>): Promise<void> {
    const run = this.#runs;
    if (this.state.getState().isSending) return;
    this.state.setState({ isSending: true, fault: null });
    const fault = await this.#options.send(() => act(run)).then(() => null, faultOf);
    if (run !== this.#runs) return;
    this.state.setState({ isSending: false, fault });
    // A change whose answer was lost may stand.
    if (fault !== null) await this.look();
  }
}

function faultOf(error: unknown): string {
  if (!(error instanceof OutcomeUnknownError)) return `Nothing was changed: ${messageOf(error)}.`;
  return 'No answer came: it may stand or not, as the line above says once the venue answers.';
}
