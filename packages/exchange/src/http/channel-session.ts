/** Carries out the requests of one connection to the channels, each answered as its route would (STR-1, STR-4). */

import { FILLS_KEPT } from '@venue/engine';
import type { StreamBatch } from '@venue/protocol';
import { isPrivateName } from '../stream/channels/catalog.ts';
import type { Channel } from '../stream/channels/channel.ts';
import type { Connection } from '../stream/channels/connection.ts';
import { keepsFillsAfter } from '../stream/channels/fills.ts';
import type { Asked, ChannelHub } from '../stream/channels/hub.ts';
import type { EntryWaits } from '../stream/entry-waits.ts';
import { MessageBytes } from '../stream/wire.ts';
import { CHANNELS_MAX } from './channel-limits.ts';
import type { ChannelRequest } from './channel-requests.ts';
import { CODE_HEADER } from './cors.ts';
import { refuse } from './errors.ts';
import { errorAnswer, type Handling, type Outgoing } from './handling.ts';
import type { Services } from './services.ts';
import { accountOf } from './services.ts';

/** The part of a node that sessions use. */
export interface SessionParts {
  readonly services: Pick<Services, 'tokens' | 'state' | 'now'>;
  readonly hub: ChannelHub;
  readonly waits: EntryWaits;
  /** Carries out the body of a batch, as `POST /v1/batch` does. */
  readonly batch: Handling;
  /** The answer to what a handler threw. */
  readonly faultOf: (error: unknown) => Outgoing;
  /** Returns true while the node is in touch with the newest entries of the log. */
  readonly isCurrent: () => boolean;
  /** Told of each batch. */
  readonly onBatch: (status: number, ms: number) => void;
}

type Told = Pick<Outgoing, 'status' | 'payload' | 'seq' | 'headers'>;

export class ChannelSession {
  readonly #parts: SessionParts;
  readonly #connection: Connection;
  #token: string | null = null;

  constructor(parts: SessionParts, connection: Connection) {
    this.#parts = parts;
    this.#connection = connection;
  }

  /** Resolves once the answer is sent; never rejects. */
  async carryOut(request: ChannelRequest): Promise<void> {
    const told = await this.#told(request);
    const { state } = this.#parts.services;
    const id = JSON.stringify(request.id);
    // What an answer of the route has in its header.
    const code = told.headers?.[CODE_HEADER];
    const named = code === undefined ? '' : `,"code":"${code}"`;
    const seq = told.seq ?? state.seq;
    const text = `{"id":${id},"status":${told.status}${named},"seq":${seq},"body":${told.payload}}`;
    this.#connection.gather(new MessageBytes(text), false);
    this.#connection.write();
  }

  async #told(request: ChannelRequest): Promise<Told> {
    try {
      return await this.#answer(request);
    } catch (error) {
      return this.#parts.faultOf(error);
    }
  }

  #answer(request: ChannelRequest): Told | Promise<Told> {
    if (!this.#parts.isCurrent()) refuse('internal');
    switch (request.op) {
      case 'refused':
        return errorAnswer(request.fault);
      case 'auth':
        return this.#signIn(request.token);
      case 'subscribe':
        return this.#subscribe(request.channels.map(askedOf));
      case 'unsubscribe':
        return this.#unsubscribe(request.channels);
      case 'batch':
        return this.#batch(request);
      case 'ping':
        return ok({ time: Math.floor(this.#parts.services.now()) });
      default:
        return request satisfies never;
    }
  }

  /** A later token may extend the sign-in, but a connection stays with its account. */
  #signIn(token: string): Told {
    const { services } = this.#parts;
    const found = services.tokens.holderOf(token) ?? refuse('unknownToken');
    const account = accountOf(services, found.address);
    const { holder } = this.#connection;
    if (holder !== null && holder.account !== account) refuse('otherAccount');
    this.#token = token;
    this.#connection.signIn({ account, expiresAtMs: found.expiresAtMs });
    return ok({ address: found.address, expiresAt: found.expiresAtMs });
  }

  /** All or none of the channels. */
  async #subscribe(asked: readonly Asked[]): Promise<Told> {
    const names = new Set(asked.map(({ name }) => name));
    if (names.size < asked.length) refuse('channelsRepeat');
    const { subscriptions } = this.#connection;
    const added = [...names].filter((name) => !subscriptions.has(name)).length;
    if (subscriptions.size + added > CHANNELS_MAX) refuse('tooManyChannels');
    const seq = Math.max(...asked.map((one) => one.seq ?? 0));
    const fillId = Math.max(...asked.map(({ after = 0 }) => after));
    const { waits, services } = this.#parts;
    const { state } = services;
    if (!(await waits.until(() => state.seq >= seq && state.lastFillId >= fillId))) refuse('internal');
    const channels = asked.map((one) => ({ one, channel: this.#channel(one) }));
    if (!this.#connection.isOpen) return ok({});
    const begun = channels.map(async ({ one, channel }) => {
      const isResumed = await this.#parts.hub.subscribe(this.#connection, channel, one);
      return isResumed ? [one.name] : [];
    });
    // Only to one who resumes the answer tells something that the first messages do not.
    if (asked.every((one) => one.seq === undefined)) return this.#subscribed();
    return this.#subscribed({ resumed: (await Promise.all(begun)).flat() });
  }

  #channel({ name, after }: Asked): Channel {
    const account = this.#connection.holder?.account ?? null;
    if (isPrivateName(name) && account === null) refuse('unknownToken');
    if (after !== undefined && !keepsFillsAfter(account!, after, FILLS_KEPT)) refuse('fillsNotKept');
    return this.#parts.hub.find(name, account) ?? refuse('unknownChannel');
  }

  #unsubscribe(names: readonly string[]): Told {
    for (const name of names) this.#parts.hub.unsubscribe(this.#connection, name);
    return this.#subscribed();
  }

  #subscribed(more: object = {}): Told {
    return ok({ channels: this.#connection.subscriptions.size, ...more });
  }

  async #batch({ id: _, op: __, prefer, ...body }: StreamBatch): Promise<Told> {
    const startedMs = performance.now();
    const { seq } = this.#parts.services.state;
    const headers = {
      ...(this.#token !== null && { 'x-paper-token': this.#token }),
      ...(prefer !== undefined && { prefer }),
    };
    const request = {
      headers,
      params: NO_PARAMS,
      query: '',
      bearer: null,
      body,
      bytes: null,
      bodyFault: null,
    };
    const told = await this.#handled(async () => ({ seq, ...(await this.#parts.batch(request)) }));
    this.#parts.onBatch(told.status, performance.now() - startedMs);
    return told;
  }

  async #handled(handle: () => Promise<Told>): Promise<Told> {
    try {
      return await handle();
    } catch (error) {
      return this.#parts.faultOf(error);
    }
  }
}

const NO_PARAMS: ReadonlyMap<string, string> = new Map();

function askedOf(
  channel: string | { readonly channel: string; readonly seq?: number; readonly after?: number },
): Asked {
  if (typeof channel === 'string') return { name: channel };
  const { channel: name, ...known } = channel;
  return { name, ...known };
}

function ok(body: object): Told {
  return { status: 200, payload: JSON.stringify(body) };
}
