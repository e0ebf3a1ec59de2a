/** Carries out the requests of one connection to the channels, each answered as its route would (STR-1, STR-4, STR-5). */

import { FILLS_KEPT } from '@venue/engine';
import { MESSAGES, type PublicError, type RefusedChannel, type StreamBatch } from '@venue/protocol';
import { CHANNELS_MAX } from '../http/channel-limits.ts';
import { CODE_HEADER } from '../http/cors.ts';
import { refuse } from '../http/errors.ts';
import type { Services } from '../http/services.ts';
import { accountOf } from '../http/services.ts';
import { isPrivateName } from '../stream/channels/catalog.ts';
import { Channel } from '../stream/channels/channel.ts';
import type { Connection } from '../stream/channels/connection.ts';
import type { EndReason } from '../stream/channels/ends.ts';
import { keepsFillsAfter } from '../stream/channels/fills.ts';
import type { Asked, ChannelHub } from '../stream/channels/hub.ts';
import type { EntryWaits } from '../stream/entry-waits.ts';
import { MessageBytes } from '../stream/wire.ts';
import type { ChannelRequest } from './channel-requests.ts';
import { errorAnswer, type Handling, type Outgoing } from './handling.ts';

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

  /**
   * How many rows the first messages of private channels have, if they are sent. Those of public channels are written once for
   * all who listen.
   */
  rowsOf(request: ChannelRequest): number {
    const account = this.#connection.holder?.account;
    if (request.op !== 'subscribe' || account === undefined) return 0;
    const { orders } = this.#parts.services.state;
    let rows = 0;
    for (const { name, after } of request.channels.map(askedOf)) {
      if (name === 'orders') rows += orders.countOf(account.index);
      if (name === 'fills' && after !== undefined)
        rows += account.fills.size - account.fills.countBelow(after + 1);
    }
    return rows;
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

  /** A channel that cannot be subscribed to is refused alone (STR-5). */
  async #subscribe(asked: readonly Asked[]): Promise<Told> {
    // Every refused one is named in the answer.
    if (asked.length > CHANNELS_MAX) refuse('tooManyChannels');
    if (new Set(asked.map(({ name }) => name)).size < asked.length) refuse('channelsRepeat');
    await this.#reached(asked);
    if (!this.#connection.isOpen) return ok({});
    const refused: RefusedChannel[] = [];
    const begun: Promise<readonly string[]>[] = [];
    for (const one of asked) {
      const found = this.#find(one);
      if (found instanceof Channel) begun.push(this.#begin(found, one));
      else refused.push(found);
    }
    if (begun.length === 0) return this.#allRefused(refused);
    const more = refused.length > 0 && { refused };
    // Only to one who resumes the answer tells something that the first messages do not.
    if (asked.every((one) => one.seq === undefined)) return this.#subscribed({ ...more });
    return this.#subscribed({ resumed: (await Promise.all(begun)).flat(), ...more });
  }

  /** Waits until the node has what the client has. */
  async #reached(asked: readonly Asked[]): Promise<void> {
    const seq = Math.max(...asked.map((one) => one.seq ?? 0));
    const fillId = Math.max(...asked.map(({ after = 0 }) => after));
    const { waits, services } = this.#parts;
    const { state } = services;
    if (!(await waits.until(() => state.seq >= seq && state.lastFillId >= fillId))) refuse('internal');
  }

  /** Resolves with the name if there is no first message to send. */
  async #begin(channel: Channel, one: Asked): Promise<readonly string[]> {
    return (await this.#parts.hub.subscribe(this.#connection, channel, one)) ? [one.name] : [];
  }

  #find({ name, after }: Asked): Channel | RefusedChannel {
    const { holder, subscriptions } = this.#connection;
    const account = holder?.account ?? null;
    if (isPrivateName(name) && account === null) return refusedChannel(name, MESSAGES.unknownToken);
    if (after !== undefined && !keepsFillsAfter(account!, after, FILLS_KEPT))
      return refusedChannel(name, MESSAGES.fillsNotKept);
    if (!subscriptions.has(name) && subscriptions.size >= CHANNELS_MAX)
      return refusedChannel(name, MESSAGES.tooManyChannels);
    const found = this.#parts.hub.find(name, account);
    if (found === null) return refusedChannel(name, MESSAGES.unknownChannel);
    return typeof found === 'string' ? refusedChannel(name, MESSAGES.channelEnded, found) : found;
  }

  /** With the status and the text of the first, as those of a request for it alone. */
  #allRefused(refused: readonly RefusedChannel[]): Told {
    const { status, error, code } = refused[0]!;
    const body = { error, channels: this.#connection.subscriptions.size, refused };
    return { ...errorAnswer({ status, error, code }), payload: JSON.stringify(body) };
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

function refusedChannel(
  channel: string,
  { status, error, code }: PublicError,
  reason?: EndReason,
): RefusedChannel {
  return { channel, status, code, error, ...(reason !== undefined && { reason }) };
}

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
