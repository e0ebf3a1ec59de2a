/**
 * Shows pushed messages in the service worker, and ignores those that are odd, old or already seen; except on WebKit,
 * which ends a subscription after pushes that showed nothing (PUSH-7).
 */

import { NEWS_KINDS, type PushMessage } from '@venue/protocol/push';
import { START_PAGE } from './shell.ts';

const TITLE_MAX = 100;
const BODY_MAX = 600;
/** A push service keeps a message for hours, and clocks of devices are wrong by hours. */
const OLD_MS = 24 * 3_600_000;
/** As an address names a contract, an expiry or an underlying; nothing that leads elsewhere. */
const PLACE = /^(?:[A-Z0-9]{1,12}(?:-\d{1,11}(?:-[CP]-\d{1,10}(?:\.\d{1,6})?)?)?)?$/;

/** A window of the terminal. */
export interface Page {
  readonly url: string;
  readonly visibilityState: DocumentVisibilityState;
  navigate(url: string): Promise<unknown>;
  focus(): Promise<unknown>;
}

/** A notification that is shown, or was pressed. */
export interface Shown {
  readonly data: unknown;
  close(): void;
}

export interface PushReceiverOptions {
  readonly origin: string;
  /** True where every push has to show a notification. */
  readonly mustShow: boolean;
  readonly pages: () => Promise<readonly Page[]>;
  readonly shown: (tag: string) => Promise<readonly Shown[]>;
  readonly show: (title: string, options: NotificationOptions & { timestamp: number }) => Promise<void>;
  readonly open: (url: string) => Promise<unknown>;
  readonly now: () => number;
}

/** The message of a payload, or null for anything else. Never throws. */
export function messageOf(text: string, now: number): PushMessage | null {
  try {
    const given = JSON.parse(text) as Partial<Record<keyof PushMessage, unknown>> | null;
    if (typeof given !== 'object' || given === null || given.v !== 1) return null;
    const isText = (value: unknown, max: number) => typeof value === 'string' && value.length <= max;
    const isWhole =
      NEWS_KINDS.some((kind) => kind === given.kind) &&
      isText(given.title, TITLE_MAX) &&
      isText(given.body, BODY_MAX) &&
      isText(given.tag, 64) &&
      isText(given.place, 64) &&
      PLACE.test(given.place as string) &&
      typeof given.at === 'number';
    return isWhole && Math.abs(now - (given.at as number)) <= OLD_MS ? (given as PushMessage) : null;
  } catch {
    return null;
  }
}

/** True for Safari, and for every browser of an iPhone or iPad, whatever it calls itself. */
export function isWebKit(agent: string): boolean {
  return agent.includes('AppleWebKit') && !/Chrom(?:e|ium)\//.test(agent);
}

export class PushReceiver {
  readonly #options: PushReceiverOptions;

  constructor(options: PushReceiverOptions) {
    this.#options = options;
  }

  /**
   * Shows a message, unless somebody is looking at the terminal, or a newer one with its tag is there. Where something must
   * be shown, that is the message without a sound, the newer one again, or that there is news.
   */
  async pushed(text: string): Promise<void> {
    const { mustShow, pages, shown, show, now } = this.#options;
    const message = messageOf(text, now());
    if (message === null) {
      if (mustShow) await show('News of your account', { tag: 'news', silent: true, timestamp: now() });
      return;
    }
    const isSeen = (await pages()).some(
      (page) => this.#isTerminal(page) && page.visibilityState === 'visible',
    );
    const there = (await shown(message.tag)).map(({ data }) => data as PushMessage);
    const newer = there.find(({ at }) => at > message.at);
    if (!mustShow && (isSeen || newer !== undefined)) return;
    const { title, body, tag, at } = newer ?? message;
    const silent = isSeen || newer !== undefined;
    await show(title, { body, tag, data: newer ?? message, timestamp: at, ...(silent && { silent }) });
  }

  /** Opens the terminal at the place of a message: in a window that is there, or in a new one. */
  async pressed(notification: Shown): Promise<void> {
    const { pages, open, origin } = this.#options;
    notification.close();
    const { place = '' } = (notification.data ?? {}) as Partial<PushMessage>;
    const url = `${origin}${START_PAGE}${PLACE.test(place) && place !== '' ? `#${place}` : ''}`;
    const page = (await pages()).find((one) => this.#isTerminal(one));
    if (page === undefined) {
      await open(url);
      return;
    }
    await (place === '' ? page : page.navigate(url));
    await page.focus();
  }

  #isTerminal({ url }: Page): boolean {
    const { origin, pathname } = new URL(url);
    return origin === this.#options.origin && pathname === START_PAGE;
  }
}
