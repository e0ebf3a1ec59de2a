/**
 * The offline shell: keeps the terminal's files, so that it opens without a network (INST-2). It keeps nothing that the
 * venue says, and answers for nothing but the page and its files.
 */

import { type Release, WORKER } from './release.ts';

export interface ShellOptions {
  readonly release: Release;
  readonly caches: Pick<CacheStorage, 'open' | 'match' | 'keys' | 'delete'>;
  readonly fetch: (address: string | Request, init?: RequestInit) => Promise<Response>;
  /** Resolves to false once a page that was asked for is late. */
  readonly patience: () => Promise<false>;
}

type Asked = Pick<Request, 'method' | 'mode' | 'url'>;

export const START_PAGE = '/';
const PREFIX = 'venue-shell ';
/** `vault.json`, the manifest, the worker and the operators' page have no hash in their names. */
const NAMED_BY_CONTENT = /^\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css|svg|png|woff2)$/;

export class Shell {
  readonly #options: ShellOptions;

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  get #name(): string {
    return PREFIX + this.#options.release.id;
  }

  /**
   * Keeps all files of this build, or none. Throws if one is missing, if storage is full, or if the venue serves the page
   * of another build.
   */
  async install(): Promise<void> {
    const { caches, fetch, release } = this.#options;
    // Inserted again, so that the newest is the last of all.
    await caches.delete(this.#name);
    try {
      const cache = await caches.open(this.#name);
      await cache.addAll([...release.files]);
      const page = await fetch(START_PAGE, { cache: 'no-cache' });
      const text = await page.clone().text();
      if (!page.ok || !text.includes(release.entry)) throw new Error('the page is of another release');
      await cache.put(START_PAGE, page);
    } catch (error) {
      await caches.delete(this.#name);
      throw error;
    }
  }

  /** Forgets all builds but this one and the one before, of which pages may still be open. */
  async forgetOlder(): Promise<void> {
    const others = (await this.#names()).filter((name) => name !== this.#name);
    await Promise.all(others.slice(0, -1).map((name) => this.#options.caches.delete(name)));
  }

  async forgetAll(): Promise<void> {
    await Promise.all((await this.#names()).map((name) => this.#options.caches.delete(name)));
  }

  /** The answer to a request, or null for one that is none of the shell's business. */
  answer(request: Request): Promise<Response> | null {
    if (isOpening(request)) return this.#open(request);
    return isFile(request) ? this.#file(request) : null;
  }

  /**
   * True if the venue still has a worker. An operator may have switched it off, the venue may have gone back to a release
   * without one, or something else may live at this address by now. A venue that does not answer has not said so.
   */
  async isWanted(): Promise<boolean> {
    const answer = await this.#options.fetch(WORKER, { cache: 'no-cache' }).catch(() => null);
    if (answer === null) return true;
    if (answer.ok) return (answer.headers.get('content-type') ?? '').includes('javascript');
    return answer.status !== 404 && answer.status !== 410;
  }

  /** The venue's own page, whichever release it is of; the kept one while the venue cannot be reached. */
  async #open(request: Request): Promise<Response> {
    const { caches, fetch, patience } = this.#options;
    const asked = fetch(request);
    const isGood = asked.then(
      ({ status }) => status < 500,
      () => false,
    );
    if (await Promise.race([isGood, patience()])) return asked;
    const cache = await caches.open(this.#name);
    return (await cache.match(START_PAGE)) ?? asked;
  }

  /** A name says what is in the file, so it does not matter which build kept it. */
  async #file(request: Request): Promise<Response> {
    const { caches, fetch } = this.#options;
    return (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request);
  }

  async #names(): Promise<string[]> {
    return (await this.#options.caches.keys()).filter((name) => name.startsWith(PREFIX));
  }
}

/** True where a person opens the trader's page. */
export function isOpening({ method, mode, url }: Asked): boolean {
  return method === 'GET' && mode === 'navigate' && new URL(url).pathname === START_PAGE;
}

function isFile({ method, mode, url }: Asked): boolean {
  return method === 'GET' && mode !== 'navigate' && NAMED_BY_CONTENT.test(new URL(url).pathname);
}
