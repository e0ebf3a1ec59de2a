/** The service worker of the trader's page. All it decides is in `shell.ts` and `push-receiver.ts`. */

import { isWebKit, type Page, PushReceiver, type Shown } from './push-receiver.ts';
import type { Release, TakenOver } from './release.ts';
import { isOpening, Shell } from './shell.ts';

/** How long an opened page waits for the venue before the kept one is shown. */
const PATIENCE_MS = 4_000;

/** Put in by `build.ts`. */
declare const RELEASE: Release;

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Pushed extends Lasting {
  readonly data: { text(): string } | null;
}

interface Pressed extends Lasting {
  readonly notification: Shown;
}

interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The used part of a worker's scope, which the types of pages do not have. */
interface Scope {
  readonly location: Location;
  readonly clients: {
    matchAll(which: { includeUncontrolled: true }): Promise<readonly Pick<Worker, 'postMessage'>[]>;
    matchAll(which: { type: 'window'; includeUncontrolled: true }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly registration: Pick<
    ServiceWorkerRegistration,
    'unregister' | 'showNotification' | 'getNotifications'
  >;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', on: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', on: (event: Fetching) => void): void;
  addEventListener(type: 'push', on: (event: Pushed) => void): void;
  addEventListener(type: 'notificationclick', on: (event: Pressed) => void): void;
}

const release = RELEASE;
const scope = self as unknown as Scope;
const shell = new Shell({
  release,
  caches,
  fetch: (address, init) => fetch(address, init),
  patience: () => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, false)),
});

const receiver = new PushReceiver({
  origin: scope.location.origin,
  mustShow: isWebKit(navigator.userAgent),
  pages: () => scope.clients.matchAll({ type: 'window', includeUncontrolled: true }),
  shown: (tag) => scope.registration.getNotifications({ tag }),
  show: (title, options) => scope.registration.showNotification(title, options),
  open: (url) => scope.clients.openWindow(url),
  now: Date.now,
});

scope.addEventListener('install', (event) => {
  // Takes over at once: files are found by names that say what is in them, so pages of both releases go on.
  event.waitUntil(shell.install().then(() => scope.skipWaiting()));
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(shell.forgetOlder().then(tellPages));
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== scope.location.origin) return;
  const answer = shell.answer(request);
  if (answer === null) return;
  event.respondWith(answer);
  if (isOpening(request)) event.waitUntil(answer.then(leaveIfUnwanted));
});

scope.addEventListener('push', (event) => {
  event.waitUntil(receiver.pushed(event.data?.text() ?? ''));
});

scope.addEventListener('notificationclick', (event) => {
  event.waitUntil(receiver.pressed(event.notification));
});

async function tellPages(): Promise<void> {
  const message: TakenOver = { entry: release.entry };
  for (const page of await scope.clients.matchAll({ includeUncontrolled: true })) page.postMessage(message);
}

async function leaveIfUnwanted(): Promise<void> {
  if (await shell.isWanted()) return;
  await scope.registration.unregister();
  await shell.forgetAll();
}
