import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Release } from './release.ts';
import { Shell } from './shell.ts';

const ORIGIN = 'https://venue.test';
const NEVER = new Promise<never>(() => {});

function releaseOf(id: string): Release {
  return {
    id,
    entry: `/assets/index-${id}-0000.js`,
    files: [`/assets/index-${id}-0000.js`, '/assets/both-12345678.css'],
  };
}

const A = releaseOf('aaa');
const B = releaseOf('bbb');
const pageText = ({ entry }: Release) => `<script type="module" src="${entry}"></script>`;

/** The caches of a browser, as far as the shell uses them; `room` is how many files they take. */
class Caches {
  readonly all = new Map<string, Map<string, Response>>();
  room = Number.POSITIVE_INFINITY;
  fetch: (address: string) => Promise<Response> = () => NEVER;

  async keys() {
    return [...this.all.keys()];
  }

  async delete(name: string) {
    return this.all.delete(name);
  }

  async open(name: string) {
    const kept = this.all.get(name) ?? new Map<string, Response>();
    this.all.set(name, kept);
    const put = async (address: string, answer: Response) => {
      if (kept.size >= this.room) throw new DOMException('full', 'QuotaExceededError');
      kept.set(ORIGIN + address, answer);
    };
    return {
      put,
      match: async (address: string) => kept.get(ORIGIN + address)?.clone(),
      addAll: async (addresses: readonly string[]) => {
        for (const address of addresses) {
          const answer = await this.fetch(address);
          if (!answer.ok) throw new TypeError(`${answer.status}`);
          await put(address, answer);
        }
      },
    };
  }

  async match(url: string) {
    for (const kept of this.all.values()) if (kept.has(url)) return kept.get(url)!.clone();
    return undefined;
  }
}

/** A venue that serves a release, or null for one that cannot be reached. */
class Venue {
  serves: Release | null;
  readonly asked: string[] = [];
  /** Answers in place of the release's. */
  readonly instead = new Map<string, () => Promise<Response>>();

  constructor(serves: Release | null) {
    this.serves = serves;
  }

  readonly fetch = async (request: string | Request): Promise<Response> => {
    const path = typeof request === 'string' ? request : new URL(request.url).pathname;
    this.asked.push(path);
    const instead = this.instead.get(path);
    if (instead !== undefined) return instead();
    if (this.serves === null) throw new TypeError('no network');
    if (path === '/') return new Response(pageText(this.serves));
    if (this.serves.files.includes(path)) return new Response(`${path} of the venue`);
    return Response.json({ error: 'not found' }, { status: 404 });
  };
}

function browserAt(venue: Venue) {
  const caches = new Caches();
  caches.fetch = venue.fetch;
  const shellOf = (release: Release, patience: () => Promise<false> = () => NEVER) =>
    new Shell({ release, caches: caches as unknown as CacheStorage, fetch: venue.fetch, patience });
  return { caches, shellOf };
}

function ask(path: string, { method = 'GET', mode = 'cors' } = {}): Request {
  return { url: ORIGIN + path, method, mode } as Request;
}

const OPENING = ask('/', { mode: 'navigate' });

describe('the offline shell (INST-2)', () => {
  it('opens without a network, with all its files', async () => {
    const venue = new Venue(A);
    const shell = browserAt(venue).shellOf(A);
    await shell.install();
    venue.serves = null;
    assert.equal(await (await shell.answer(OPENING)!).text(), pageText(A));
    for (const file of A.files)
      assert.equal(await (await shell.answer(ask(file))!).text(), `${file} of the venue`);
  });

  it('opens when a proxy answers in the place of the venue, or nobody does for long', async () => {
    const venue = new Venue(A);
    const { shellOf } = browserAt(venue);
    await shellOf(A).install();
    venue.instead.set('/', async () => new Response('bad gateway', { status: 502 }));
    assert.equal(await (await shellOf(A).answer(OPENING)!).text(), pageText(A));
    venue.instead.set('/', () => NEVER);
    assert.equal(await (await shellOf(A, async () => false).answer(OPENING)!).text(), pageText(A));
  });

  it("prefers the venue's own page, of whatever release, with that release's files", async () => {
    const venue = new Venue(A);
    const { shellOf } = browserAt(venue);
    const shell = shellOf(A);
    await shell.install();
    venue.serves = B;
    assert.equal(await (await shell.answer(OPENING)!).text(), pageText(B));
    assert.equal(await (await shell.answer(ask(B.entry))!).text(), `${B.entry} of the venue`);
    // A page of the release before still finds its parts, which the venue no longer has.
    assert.equal(await (await shell.answer(ask(A.entry))!).text(), `${A.entry} of the venue`);
  });

  it('has nothing to do with answers of the API, other pages, and files that keep their names', () => {
    const { shellOf } = browserAt(new Venue(A));
    const shell = shellOf(A);
    const navigate = { mode: 'navigate' };
    for (const request of [
      ask('/v1/chain?symbol=BTC'),
      ask('/v1/me'),
      ask('/v1/stream'),
      ask('/healthz'),
      ask('/'),
      ask('/', { method: 'HEAD', mode: 'navigate' }),
      ask('/v1/order', { method: 'POST' }),
      ask('/docs', navigate),
      ask('/assets/admin.html', navigate),
      ask('/assets/admin.html'),
      ask('/assets/vault.json'),
      ask('/assets/manifest.webmanifest'),
      ask('/assets/service-worker.js'),
      ask('/assets/inter-licence.txt', navigate),
      ask('/v1/assets/index-12345678.js'),
    ])
      assert.equal(shell.answer(request), null, `${request.method} ${request.url}`);
  });

  it('keeps all files of a release or none: storage is full, one is gone, or the page is of another', async () => {
    const venue = new Venue(A);
    const { caches, shellOf } = browserAt(venue);
    await shellOf(A).install();
    caches.room = 1;
    venue.serves = B;
    await assert.rejects(shellOf(B).install(), { name: 'QuotaExceededError' });
    caches.room = Number.POSITIVE_INFINITY;
    venue.instead.set(B.entry, async () => new Response('', { status: 404 }));
    await assert.rejects(shellOf(B).install(), /404/);
    venue.instead.clear();
    // Nodes of two releases behind one address, in the middle of an upgrade.
    venue.instead.set('/', async () => new Response(pageText(A)));
    await assert.rejects(shellOf(B).install(), /another release/);
    assert.deepEqual(await caches.keys(), ['venue-shell aaa']);
    venue.serves = null;
    venue.instead.clear();
    assert.equal(await (await shellOf(A).answer(OPENING)!).text(), pageText(A));
  });

  it('forgets all releases but its own and the one before, also after a venue went back', async () => {
    const venue = new Venue(A);
    const { caches, shellOf } = browserAt(venue);
    await caches.open('of another app');
    const C = releaseOf('ccc');
    for (const [release, left] of [
      [A, ['aaa']],
      [B, ['aaa', 'bbb']],
      [A, ['bbb', 'aaa']],
      [C, ['aaa', 'ccc']],
    ] as const) {
      venue.serves = release;
      const shell = shellOf(release);
      await shell.install();
      await shell.forgetOlder();
      assert.deepEqual(await caches.keys(), ['of another app', ...left.map((id) => `venue-shell ${id}`)]);
    }
    await shellOf(C).forgetAll();
    assert.deepEqual(await caches.keys(), ['of another app']);
  });

  it('is wanted until the venue says that it is not', async () => {
    const venue = new Venue(A);
    const shell = browserAt(venue).shellOf(A);
    const answers: [() => Promise<Response>, boolean][] = [
      [async () => new Response('', { headers: { 'content-type': 'text/javascript; charset=utf-8' } }), true],
      [async () => Promise.reject(new TypeError('no network')), true],
      [async () => new Response('', { status: 503 }), true],
      [async () => new Response('', { status: 429 }), true],
      [async () => Response.json({ error: 'not found' }, { status: 404 }), false],
      // Another site at this address, which answers every address with its page.
      [async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }), false],
    ];
    for (const [answer, isWanted] of answers) {
      venue.instead.set('/assets/service-worker.js', answer);
      assert.equal(await shell.isWanted(), isWanted);
    }
  });
});
