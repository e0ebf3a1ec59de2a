/** Keeps the page for the next time without a network, and hears of newer releases of it (INST-2). */

import type { StoreApi } from 'zustand/vanilla';
import type { Link } from '../market/state.ts';
import { WORKER } from './release.ts';

/** A page that stays open asks this often whether there is a newer release. */
const CHECK_MS = 3_600_000;
/** After a look that failed; doubled while it fails. */
const FIRST_RETRY_MS = 30_000;

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
 * Registers the worker once the page is live and idle, as it loads all files that the page may ever need, and looks for
 * another release after each new connection. A browser that has no room for them, or no worker, has the page as it
 * was.
 */
export function followReleases(options: ReleasesOptions): void {
  const { workers, entry, link, onOther } = options;
  if (workers === null) return;
  workers.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isOfOther(data, entry)) onOther();
  });
  workers.startMessages();
  const checks = new Checks(options, workers);
  let checked = 0;
  link.subscribe(({ state, connections }) => {
    if (state !== 'live' || connections === checked) return;
    // A venue may come back with another release sooner than the page shows that it was away.
    checked = connections;
    void checks.check();
  });
}

class Checks {
  readonly #options: ReleasesOptions;
  readonly #workers: NonNullable<ReleasesOptions['workers']>;
  #isFirst = true;
  #retryMs = FIRST_RETRY_MS;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ReleasesOptions, workers: NonNullable<ReleasesOptions['workers']>) {
    this.#options = options;
    this.#workers = workers;
  }

  async check(): Promise<void> {
    clearTimeout(this.#next);
    try {
      await this.#look();
      this.#retryMs = FIRST_RETRY_MS;
      this.#checkAfter(CHECK_MS);
    } catch {
      // Without a network or without room the page goes on as it is. One file that did not come costs no hour.
      this.#checkAfter(this.#retryMs);
      this.#retryMs = Math.min(2 * this.#retryMs, CHECK_MS);
    }
  }

  #checkAfter(ms: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => {
      if (this.#options.link.getState().state === 'live') void this.check();
      else this.#checkAfter(CHECK_MS);
    }, ms);
  }

  async #look(): Promise<void> {
    const { idle, isServed } = this.#options;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst) await idle();
    let registration = await this.#workers.getRegistration('/');
    // To register what is registered would look for nothing.
    if (registration !== undefined) await registration.update();
    // A worker that is just leaving would be called back by being registered, even where the venue has none.
    else if (await isServed()) registration = await this.#workers.register(WORKER, { scope: '/' });
    await installed(registration?.installing ?? null);
  }
}

/** Throws if a browser gave up the worker that it is installing. */
async function installed(worker: ServiceWorker | null): Promise<void> {
  if (worker === null) return;
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (worker.state === 'redundant') reject(new Error('the browser gave up the files of a release'));
      else if (worker.state !== 'installing') resolve();
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

/** A worker's message may be of any release. */
function isOfOther(data: unknown, entry: string): boolean {
  if (typeof data !== 'object' || data === null || !('entry' in data)) return false;
  return typeof data.entry === 'string' && data.entry !== entry;
}
