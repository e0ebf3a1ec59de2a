/** The push of this browser, behind its service worker. */

import type { PushSubscriptionTerms } from '@venue/protocol/push';
import { inTime } from '../../../../basics/in-time.ts';
import type { BoundSubscription, BrowserPush } from './push-desk.ts';

/** No worker is ready for longer than this where the operator has switched it off. */
const WORKER_LIMIT_MS = 10_000;

export function browserPush(): BrowserPush {
  return {
    isThere: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
    permission: () => Notification.permission,
    ask: () => Notification.requestPermission(),
    subscription: async () => {
      const found = await (await manager()).getSubscription();
      return found === null ? null : boundOf(found);
    },
    subscribe: async (publicKey) => {
      const options = { userVisibleOnly: true, applicationServerKey: publicKey };
      const { endpoint, p256dh, auth } = boundOf(await (await manager()).subscribe(options));
      return { endpoint, p256dh, auth };
    },
    unsubscribe: async () => {
      await (await (await manager()).getSubscription())?.unsubscribe();
    },
    name: deviceName(navigator.userAgent),
  };
}

async function manager(): Promise<PushManager> {
  return (await inTime(navigator.serviceWorker.ready, WORKER_LIMIT_MS)).pushManager;
}

function boundOf(subscription: PushSubscription): BoundSubscription {
  const { endpoint, keys } = subscription.toJSON();
  const terms: PushSubscriptionTerms = {
    endpoint: endpoint ?? '',
    p256dh: keys?.p256dh ?? '',
    auth: keys?.auth ?? '',
  };
  return { ...terms, publicKey: base64url(subscription.options.applicationServerKey) };
}

function base64url(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** @example deviceName(navigator.userAgent) // 'Chrome on Android' */
export function deviceName(agent: string): string {
  const named = (names: readonly (readonly [string, string])[], other: string) =>
    names.find(([part]) => agent.includes(part))?.[1] ?? other;
  return `${named(BROWSERS, 'Browser')} on ${named(SYSTEMS, 'a device')}`;
}
