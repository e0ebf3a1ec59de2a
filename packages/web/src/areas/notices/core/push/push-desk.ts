/** Turns notifications for closed tabs on and off: on this device, and on the account's others (PUSH-2, PUSH-3). */

import {
  deviceId,
  NEWS_KINDS,
  type NewsKind,
  type PushAct,
  type PushDevice,
  type PushDevices,
  type PushSubscriptionTerms,
  type PushTerms,
  pushEnvelope,
} from '@venue/protocol/push';
import { signPersonal } from '@venue/protocol/signing';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { membersOf, readKept, type Storage, writeKept } from '../../../../basics/kept.ts';
import type { KeptSession } from '../../../../session/kept-session.ts';
import { KEPT_PUSH } from './kept-name.ts';

/** The state of the switch. */
export type PushState =
  /** Not known yet, or the venue has no push: nothing is shown. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unsupported' | 'refused' | 'away' | 'signed-out' }
  | {
      readonly kind: 'off' | 'on' | 'lost';
      readonly devices: readonly PushDevice[];
      readonly own: string | null;
    };

/** The used part of the browser. */
export interface BrowserPush {
  /** False where the browser has no push, or has it only for installed pages. */
  readonly isThere: boolean;
  permission(): NotificationPermission;
  ask(): Promise<NotificationPermission>;
  /** The subscription of this device, and the key that it is bound to. Null without one; rejects without a worker. */
  subscription(): Promise<BoundSubscription | null>;
  subscribe(publicKey: string): Promise<PushSubscriptionTerms>;
  unsubscribe(): Promise<void>;
  readonly name: string;
}

export interface BoundSubscription extends PushSubscriptionTerms {
  /** Base64url. */
  readonly publicKey: string;
}

export interface PushDeskOptions {
  readonly browser: BrowserPush;
  readonly fetch: (address: string, init?: RequestInit) => Promise<Response>;
  readonly session: () => Promise<KeptSession | null>;
  readonly nonceOf: (sessionKey: string) => Promise<number>;
  readonly storage: () => Storage;
  /** The venue's time in unix ms. */
  readonly now: () => number;
  /** Called when a page finds that this device is no longer on. */
  readonly onLost: () => void;
}

export interface PushView {
  readonly state: PushState;
  readonly isBusy: boolean;
  /** Why the last press did nothing, in a sentence. */
  readonly fault: string | null;
}

const RENEW_AFTER_MS = 7 * 24 * 3_600_000;
const LIMIT_MS = 10_000;
const TRIES = 4;
const RETRY_MS = 250;
const PUSH_FILE = '/assets/push.json';

class PushRefused extends Error {}

export class PushDesk {
  readonly view: StoreApi<PushView> = createStore(() => ({
    state: { kind: 'absent' },
    isBusy: false,
    fault: null,
  }));
  readonly #options: PushDeskOptions;
  #site: { readonly url: string; readonly terms: PushTerms } | null = null;

  constructor(options: PushDeskOptions) {
    this.#options = options;
  }

  /** Reads the state of the switch again. */
  async look(): Promise<void> {
    this.view.setState({ state: await this.#state() });
  }

  /** At the start of a page: renews what is lost on this side, such as a subscription that the browser replaced. */
  async renew(): Promise<void> {
    await this.look();
    const { state } = this.view.getState();
    const session = await this.#options.session();
    const kinds = session && this.kinds(session.account);
    const isAllowed = this.#options.browser.isThere && this.#options.browser.permission() === 'granted';
    if (kinds === null || !isAllowed || this.#site === null || !('devices' in state)) return;
    const bound = await this.#options.browser.subscription();
    const own = state.devices.find(({ id }) => id === state.own);
    const isOld = own !== undefined && own.since < this.#options.now() - RENEW_AFTER_MS;
    const isReplaced = bound === null || bound.publicKey !== this.#site.terms.publicKey;
    if (isReplaced || isOld) await this.turnOn(kinds);
    // One that is whole and not on the list may have been turned off elsewhere: the person decides.
    if (this.view.getState().state.kind === 'lost') this.#options.onLost();
  }

  /** Call it from the press itself: browsers ask the person only then. */
  turnOn(kinds: readonly NewsKind[]): Promise<void> {
    return this.#press(async () => {
      const { browser } = this.#options;
      if (browser.permission() !== 'granted' && (await browser.ask()) !== 'granted') return;
      const site = await this.#find();
      if (site === null) return;
      const bound = await browser.subscription();
      const isOurs = bound?.publicKey === site.terms.publicKey;
      if (bound !== null && !isOurs) await browser.unsubscribe();
      const subscription =
        isOurs && bound !== null ? termsOf(bound) : await browser.subscribe(site.terms.publicKey);
      const session = await this.#act({ act: 'on', subscription, kinds, name: browser.name });
      this.#keep(session.account, kinds);
    });
  }

  /** Turns a device of the account off: this one, or another. */
  turnOff(id: string): Promise<void> {
    return this.#press(async () => {
      const { browser } = this.#options;
      const session = await this.#act({ act: 'off', device: id });
      const bound = await browser.subscription().catch(() => null);
      if (bound === null || deviceId(bound.endpoint) !== id) return;
      const others = this.#keep(session.account, null);
      if (others === 0) await browser.unsubscribe();
    });
  }

  /** The kinds that are on for an account in this browser; null if it is off. */
  kinds(account: string): readonly NewsKind[] | null {
    return this.#kept()[account] ?? null;
  }

  /** One press at a time; afterwards the view is read again. */
  async #press(act: () => Promise<void>): Promise<void> {
    if (this.view.getState().isBusy) return;
    this.view.setState({ isBusy: true, fault: null });
    try {
      await act();
    } catch (error) {
      this.view.setState({ fault: faultOf(error) });
    }
    await this.look();
    this.view.setState({ isBusy: false });
  }

  async #state(): Promise<PushState> {
    const { browser, session } = this.#options;
    try {
      const site = await this.#find();
      if (site === null) return { kind: 'absent' };
      if (!browser.isThere) return { kind: 'unsupported' };
      if (browser.permission() === 'denied') return { kind: 'refused' };
      const own = await session();
      if (own === null) return { kind: 'signed-out' };
      return await this.#standing(own);
    } catch (error) {
      return { kind: error instanceof PushRefused ? 'signed-out' : 'away' };
    }
  }

  async #standing({ account }: KeptSession): Promise<PushState> {
    const bound = await this.#options.browser.subscription().catch(() => undefined);
    if (bound === undefined) return { kind: 'unsupported' };
    const isKept = this.kinds(account) !== null;
    const { devices } = await this.#send({ act: 'list' });
    const own = bound && deviceId(bound.endpoint);
    const isOn = devices.some(({ id }) => id === own);
    return { kind: isOn ? 'on' : isKept ? 'lost' : 'off', devices, own };
  }

  /** Null where the venue has no push. Rejects while it cannot be reached. */
  async #find(): Promise<{ readonly url: string; readonly terms: PushTerms } | null> {
    if (this.#site !== null) return this.#site;
    const told = await this.#get(PUSH_FILE);
    if (told.status === 404) return null;
    const { url } = (await told.json()) as { readonly url: string };
    const answer = await this.#get(`${url}/terms`);
    if (!answer.ok) throw new Error(`terms: ${answer.status}`);
    this.#site = { url, terms: (await answer.json()) as PushTerms };
    return this.#site;
  }

  #get(address: string): Promise<Response> {
    return this.#options.fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MS) });
  }

  async #act(act: PushAct): Promise<KeptSession> {
    await this.#send(act);
    return (await this.#options.session())!;
  }

  /** The push process reads of a new session a moment after the venue, and another tab may have sent a later nonce. */
  async #send(act: PushAct): Promise<PushDevices> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#post(act);
      if (answer.ok) return (await answer.json()) as PushDevices;
      if (answer.status >= 500) throw new Error(`devices: ${answer.status}`);
      const { error } = (await answer.json()) as { readonly error: string };
      if (answer.status !== 401 || tries === TRIES) throw new PushRefused(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries));
    }
  }

  async #post(act: PushAct): Promise<Response> {
    const { session, nonceOf, fetch } = this.#options;
    const [site, own] = [await this.#find(), await session()];
    if (site === null || own === null) throw new PushRefused('Sign in first.');
    const { account, sessionKey, privateKey, venue } = own;
    // What is signed names the venue that the session is of, whatever the push process calls itself.
    if (venue !== undefined && venue !== site.terms.venue) throw new Error('another venue');
    const nonce = await nonceOf(sessionKey);
    const text = pushEnvelope({ venue: site.terms.venue, account, act, nonce });
    const signature = signPersonal(text, privateKey);
    const body = JSON.stringify({ ...act, account, sessionKey, nonce, signature });
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(LIMIT_MS);
    return fetch(`${site.url}/devices`, { method: 'POST', headers, body, signal });
  }

  /** Returns how many accounts of this browser are on afterwards. */
  #keep(account: string, kinds: readonly NewsKind[] | null): number {
    const { [account]: _, ...others } = this.#kept();
    const all = kinds === null ? others : { ...others, [account]: kinds };
    // Where it is not kept a lost subscription is not renewed by itself.
    writeKept(this.#options.storage, KEPT_PUSH, all);
    return Object.keys(all).length;
  }

  /** Only lists of kinds count. */
  #kept(): Readonly<Record<string, readonly NewsKind[]>> {
    const found = Object.entries(membersOf(readKept(this.#options.storage, KEPT_PUSH)));
    return Object.fromEntries(found.filter((row): row is [string, NewsKind[]] => areKinds(row[1])));
  }
}

function areKinds(kept: unknown): boolean {
  return Array.isArray(kept) && kept.length > 0 && kept.every((kind) => NEWS_KINDS.includes(kind));
}

function termsOf({ endpoint, p256dh, auth }: BoundSubscription): PushSubscriptionTerms {
  return { endpoint, p256dh, auth };
}

function faultOf(error: unknown): string {
  if (error instanceof PushRefused) return `The venue refused: ${error.message}.`;
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'NotAllowedError'))
    return 'Your browser did not subscribe to its push service.';
  return 'Notifications of this venue cannot be reached at the moment.';
}
