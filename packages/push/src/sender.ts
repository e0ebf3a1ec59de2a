/** Sends one message to one device by its push service (RFC 8030), encrypted for the device alone (RFC 8291). */

import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { PushSubscriptionTerms } from '@venue/protocol';
import webPush from 'web-push';
import { type Endpoint, endpointOf, InsideError, publicLookup } from './endpoint.ts';
import type { VapidKeys } from './keys.ts';
import { urgencyOf } from './news.ts';
import type { Device, Message } from './store.ts';

const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 4_096;
/** How long a push service keeps a message for a device that is off. */
const TTL_SECONDS = 4 * 3_600;

/** The outcome of one attempt; `refused` says in a word why it makes no sense to try again. */
export type Sent =
  | { readonly kind: 'taken' | 'gone' }
  | { readonly kind: 'later'; readonly afterMs: number | null; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

export interface SenderOptions {
  readonly keys: VapidKeys;
  readonly contact: string;
  readonly services: readonly string[];
  readonly timeoutMs?: number;
}

export class Sender {
  readonly #options: SenderOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: 30_000 });
  readonly #lookup = publicLookup();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Never rejects. Its outcome never names the endpoint, because anybody who knows that may send there. */
  async send(device: Device, message: Message): Promise<Sent> {
    const endpoint = endpointOf(device.endpoint, this.#options.services);
    // The operator may have removed its service from the list.
    if (endpoint === null) return { kind: 'refused', why: 'service' };
    try {
      return await this.#post(endpoint, this.#detailsOf(device, message));
    } catch (error) {
      if (error instanceof InsideError) return { kind: 'refused', why: 'inside' };
      const { name, code } = error as NodeJS.ErrnoException;
      return { kind: 'later', afterMs: null, why: name === 'TimeoutError' ? 'timeout' : (code ?? 'error') };
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #detailsOf(device: Device, { payload, kind }: Pick<Message, 'payload' | 'kind'>): webPush.RequestDetails {
    const { keys, contact } = this.#options;
    return webPush.generateRequestDetails(subscriptionOf(device), payload, {
      vapidDetails: { subject: contact, ...keys },
      TTL: TTL_SECONDS,
      urgency: urgencyOf(kind),
      topic: topicOf(keys.privateKey, device.id, (JSON.parse(payload) as { tag: string }).tag),
      contentEncoding: 'aes128gcm',
    });
  }

  /** Redirects are not followed, and the body is ignored. */
  #post({ url, isPublic }: Endpoint, { headers, body }: webPush.RequestDetails): Promise<Sent> {
    const { promise, resolve, reject } = Promise.withResolvers<Sent>();
    const asked = request(
      url,
      {
        ...{ method: 'POST', headers: headers as Record<string, string>, agent: this.#agent },
        ...(isPublic ? { lookup: this.#lookup } : {}),
        signal: AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS),
      },
      (answer) => {
        resolve(sentOf(answer.statusCode ?? 0, answer.headers['retry-after']));
        answer.on('error', () => {});
        // Only a short one is read to its end, so that its connection serves the next message.
        if (Number(answer.headers['content-length'] ?? BODY_BYTES_MAX) < BODY_BYTES_MAX) answer.resume();
        else answer.destroy();
      },
    );
    // An abort by time arrives as an AbortError whose cause is the reason.
    asked.on('error', (error) => reject((error as Error & { cause?: unknown }).cause ?? error));
    asked.end(body);
    return promise;
  }
}

/**
 * The id by which a push service replaces a message with a newer one (RFC 8030). Keyed, because the tag is a hash of an
 * address and a time, which a push service could guess; and per device, so that an account's devices cannot be linked.
 */
export function topicOf(privateKey: string, deviceId: string, tag: string): string {
  return createHmac('sha256', privateKey).update(`topic ${deviceId} ${tag}`).digest('base64url').slice(0, 32);
}

/** Checks the keys of a subscription by encrypting something for it. */
export function canEncryptFor(subscription: PushSubscriptionTerms): boolean {
  try {
    webPush.generateRequestDetails(subscriptionOf(subscription), 'x', { contentEncoding: 'aes128gcm' });
    return true;
  } catch {
    return false;
  }
}

function subscriptionOf({ endpoint, p256dh, auth }: PushSubscriptionTerms): webPush.PushSubscription {
  return { endpoint, keys: { p256dh, auth } };
}

function sentOf(status: number, retryAfter: string | undefined): Sent {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status >= 500)
    return { kind: 'later', afterMs: secondsOf(retryAfter), why: String(status) };
  return { kind: 'refused', why: String(status) };
}

function secondsOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
}
