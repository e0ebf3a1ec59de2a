/** Keeps the page for the next time without a network, and hears of newer releases of it (INST-2). */

import type { StoreApi } from 'zustand/vanilla';
import type { Link } from '../core/stores.ts';
import { WORKER } from './release.ts';

/** A page that stays open asks this often whether there is a newer release. */
const CHECK_MS = 3_600_000;

export interface ReleasesOptions {
  /** Null where the browser has none, such as on a page without TLS. */
  readonly workers: Pick<
    ServiceWorkerContainer,
    'register' | 'getRegistration' | 'addEventListener' | 'startMessages'
  > | null;
  /** Address of the script that this page began with. */
  readonly entry: string;
  readonly link: StoreApi<Link>;
  /** Called when the browser has the files of another release. */
  readonly onOther: () => void;
  /** True if the venue has a worker, which an operator may have switched off. */
  readonly isServed: () => Promise<boolean>;
  /** Waits until the page has nothing better to do. */
  readonly idle: () => Promise<void>;
}

/**
 * Registers the worker once the page is live and idle, as it loads all files that the page may ever need. A browser
 * that has no room for them, or no worker, has the page as it was.
 */
export function followReleases({ workers, entry, link, onOther, isServed, idle }: ReleasesOptions): void {
  if (workers === null) return;
  workers.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isOfOther(data, entry)) onOther();
  });
  workers.startMessages();
  let isRegistered = false;
  let wasAway = true;
  const check = async () => {
    if (isRegistered) {
      await (await workers.getRegistration('/'))?.update();
      return;
    }
    isRegistered = true;
    await idle();
    // A worker that is just leaving would be called back by being registered, even where the venue has none.
    if (await isServed()) await workers.register(WORKER, { scope: '/' });
  };
  // Without a network, without room, or without a worker at the venue, the page goes on as it is.
  const quietly = () => void check().catch(() => {});
  link.subscribe(({ state }) => {
    if (state === 'offline') wasAway = true;
    if (state !== 'live' || !wasAway) return;
    // A venue that was away may have come back with another release.
    wasAway = false;
    quietly();
  });
  setInterval(() => {
    if (link.getState().state === 'live') quietly();
  }, CHECK_MS);
}

/** A worker's message may be of any release. */
function isOfOther(data: unknown, entry: string): boolean {
  if (typeof data !== 'object' || data === null || !('entry' in data)) return false;
  return typeof data.entry === 'string' && data.entry !== entry;
}
