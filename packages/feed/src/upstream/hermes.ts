/** The price part of Hermes, Pyth's HTTP interface: the list of feeds, and a stream of prices as server-sent events. */

import { EventSource } from 'eventsource';
import { type Static, Type } from 'typebox';
import { checkOf } from './shape.ts';

const TIMEOUT_MS = 5_000;

const FEEDS = Type.Array(
  Type.Object({ id: Type.String(), attributes: Type.Record(Type.String(), Type.Unknown()) }),
);
const isFeeds = checkOf(FEEDS);

const UPDATE = Type.Object({
  binary: Type.Object({ data: Type.Array(Type.String()) }),
  parsed: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(
        Type.Object({
          id: Type.String(),
          price: Type.Object({
            price: Type.String(),
            conf: Type.String(),
            expo: Type.Integer(),
            publish_time: Type.Integer(),
          }),
          metadata: Type.Object({ slot: Type.Optional(Type.Union([Type.Null(), Type.Integer()])) }),
        }),
      ),
    ]),
  ),
});
const isUpdate = checkOf(UPDATE);

/** A message of the stream; its prices are in no particular order. */
export type PriceUpdate = Static<typeof UPDATE>;
export type ParsedPrice = NonNullable<PriceUpdate['parsed']>[number];

export interface HermesOptions {
  readonly url: string;
  /** Bearer token of a paid endpoint. */
  readonly token: string | null;
}

export interface StreamHandlers {
  readonly onMessage: (data: string) => void;
  /** Called once with the reason when it ends. It is not reopened. */
  readonly onEnd: (reason: string) => void;
}

export class Hermes {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, token }: HermesOptions) {
    this.#base = url.endsWith('/') ? url : `${url}/`;
    this.#headers = token === null ? {} : { authorization: `Bearer ${token}` };
  }

  /**
   * Ids and names of the feeds whose name contains the text. Throws if there is no answer, or one that is not from
   * Hermes.
   */
  async feeds(query: string, signal: AbortSignal): Promise<{ id: string; name: string }[]> {
    const url = new URL('v2/price_feeds', this.#base);
    url.searchParams.set('query', query);
    const response = await fetch(url, {
      headers: this.#headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const answer: unknown = await response.json();
    if (!isFeeds(answer)) throw new Error('no list of price feeds');
    return answer.map(({ id, attributes }) => ({ id, name: String(attributes.symbol ?? '') }));
  }

  /** Opens the stream of the feeds' prices, until `close` is called on the result. */
  stream(ids: readonly string[], { onMessage, onEnd }: StreamHandlers): { close(): void } {
    const url = new URL('v2/updates/price/stream', this.#base);
    for (const id of ids) url.searchParams.append('ids[]', id);
    for (const [name, value] of [
      ['parsed', 'true'],
      ['encoding', 'base64'],
      ['ignore_invalid_price_ids', 'true'],
    ] as const)
      url.searchParams.append(name, value);
    const source = new EventSource(url, {
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...this.#headers } }),
    });
    source.onmessage = ({ data }) => onMessage(String(data));
    source.onerror = ({ code, message }) => {
      // An open source would reconnect by itself, without backing off.
      source.close();
      onEnd(message ?? `HTTP ${code ?? 'stream ended'}`);
    };
    return source;
  }
}

/** A message of the stream, or undefined if it does not have the form that Hermes documents. */
export function parseUpdate(data: string): PriceUpdate | undefined {
  try {
    const update: unknown = JSON.parse(data);
    return isUpdate(update) ? update : undefined;
  } catch {
    return undefined;
  }
}
