/** A lasting connection to the channels: it connects again, signs in again, and resumes what it follows (STR-4, STR-5). */

import type { StreamBeat, StreamEnd, Subscribed } from '@venue/protocol';
import { Backoff, type BackoffOptions, pause } from '../net/backoff.ts';
import {
  isFinal,
  UnauthorizedError,
  type VenueError,
  VenueUnreachableError,
  venueErrorOf,
} from '../net/errors.ts';
import type { WebSocketConstructor } from '../net/socket.ts';
import type { Transport } from '../net/transport.ts';
import type { Auth } from '../sign/auth.ts';
import type { Credentials } from '../sign/credentials.ts';
import type { VenuePin } from '../sign/venue-pin.ts';
import { type ChannelAnswer, type ChannelMessage, Link, SERVER_FAULT } from './channel-link.ts';
import type { Topic } from './channel-topic.ts';
import { KeptUp } from './kept-up.ts';

export interface ChannelsOptions {
  /**
   * The first wait before another attempt, and the longest, in ms; by default 500 and 30,000, as the venue's edge takes ten
   * new connections a minute.
   */
  readonly retry?: Pick<BackoffOptions, 'firstMs' | 'limitMs'>;
  /** After this long without a message the venue is asked for a sign of life, in ms; by default 10,000. */
  readonly pingMs?: number;
  /** The connection is open, and all channels are subscribed to. */
  onLive?(): void;
  /**
   * The connection is lost, or could not be made. It is retried after `retryInMs`, which is infinite when another
   * deployment answers (`VenueChangedError`), and for a fault of the client's own code or of the runtime (`TypeError`).
   */
  onLost?(loss: { readonly reason: Error; readonly retryInMs: number }): void;
}

export interface ConnectionParts {
  readonly transport: Transport;
  readonly pin: VenuePin;
  readonly webSocket: WebSocketConstructor;
  readonly credentials: Credentials;
  readonly auth: Auth;
}

const ASK_MS = 10_000;
const PING_MS = 10_000;
/** Limits on the time a sign of life may take, and on the number refused in a row. */
const SILENCE_MS = 10_000;
const REFUSALS_MAX = 3;
/** A beat comes every 5 s (STR-5). One that is so late may still wait behind other messages. */
const BEAT_LATE_MS = 12_000;
/** After a connection that lasted this long, the next wait is short again. */
const SETTLED_MS = 10_000;
const RETRY = { firstMs: 500, limitMs: 30_000 };
/** Channels in one request: it has to fit into a message. */
const NAMES_MAX = 200;
/** The channels of an account. */
const PRIVATE: ReadonlySet<string> = new Set(['account', 'orders', 'fills']);

export class ChannelConnection {
  readonly #parts: ConnectionParts;
  readonly #options: ChannelsOptions;
  readonly #topics = new Map<string, Set<Topic>>();
  readonly #stop = new AbortController();
  /** Names to subscribe to with the next request. */
  #due = new Set<string>();
  /** By name, the latest turn of subscribing of which it is not answered. */
  readonly #awaited = new Map<string, object>();
  readonly #keptUp = new KeptUp();
  /** The monotonic milliseconds since which there has been a channel. */
  #followsSinceMs = 0;
  #link: Link | null = null;
  #isLive = false;
  /** The token that the link is signed in with. */
  #token: string | null = null;
  #isFirst = true;
  /** Ends the wait for the next attempt. */
  #retry = new AbortController();

  constructor(parts: ConnectionParts, options: ChannelsOptions) {
    this.#parts = parts;
    this.#options = options;
    const { signal } = parts.transport;
    if (signal?.aborted) this.close();
    signal?.addEventListener('abort', () => this.close(), { once: true, signal: this.#stop.signal });
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  /**
   * The monotonic milliseconds at which the venue last showed that it is in touch; null while there is no connection.
   */
  get heardMs(): number | null {
    return this.#isLive ? this.#link!.heardMs : null;
  }

  /** Ends it permanently. */
  close(): void {
    this.#stop.abort();
    this.#retry.abort();
    this.#link?.end('it was closed');
  }

  /** Makes the next attempt now, if it waits for one. */
  retryNow(): void {
    this.#retry.abort();
  }

  add(topic: Topic): void {
    if (this.#topics.size === 0) this.#followsSinceMs = performance.now();
    const topics = this.#topics.get(topic.name) ?? new Set();
    this.#topics.set(topic.name, topics.add(topic));
    this.#subscribeSoon(topic.name);
  }

  remove(topic: Topic): void {
    const topics = this.#topics.get(topic.name);
    if (topics?.delete(topic) !== true || topics.size > 0) return;
    this.#topics.delete(topic.name);
    if (this.#isLive) this.#ask('unsubscribe', { channels: [topic.name] }).catch(() => {});
  }

  /** Sends a batch. Throws `VenueUnreachableError` without an answer, `neverSent` while it is not live. */
  async batch(members: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<ChannelAnswer> {
    // A signed one needs no token.
    if (this.#parts.credentials.session === null) await this.#signIn();
    return this.#linkNow().ask(`"op":"batch",${members}`, { timeoutMs, signal });
  }

  /** Makes one connection after another, until it is closed. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    for (const backoff = new Backoff(this.#options.retry ?? RETRY); !signal.aborted; ) {
      const startedMs = performance.now();
      const reason = await this.#connect().catch((error: Error) => error);
      this.#lost();
      if (signal.aborted) return;
      if (performance.now() - startedMs > SETTLED_MS) backoff.reset();
      const retryInMs = isFinal(reason) ? Infinity : backoff.next();
      this.#tell(() => this.#options.onLost?.({ reason, retryInMs }));
      if (retryInMs === Infinity) return this.#fail(reason);
      this.#retry = new AbortController();
      if (!signal.aborted) await pause(retryInMs, this.#retry.signal);
    }
  }

  /** Ends it permanently, and every channel with that error. */
  #fail(reason: Error): void {
    for (const name of [...this.#topics.keys()]) this.#refuse(name, reason);
    this.close();
  }

  /** One connection, from the attempt to its end; resolves with or throws the reason why it ended. */
  async #connect(): Promise<Error> {
    const { transport, webSocket, pin } = this.#parts;
    if (!this.#isFirst) await pin.verify(transport);
    this.#isFirst = false;
    let onEnd: (reason: Error) => void = () => {};
    const ended = new Promise<Error>((resolve) => {
      onEnd = resolve;
    });
    const onMessage = (message: ChannelMessage | StreamEnd) => this.#take(message);
    const onBeat = (beat: StreamBeat) => this.#takeBeat(link, beat);
    const link = new Link({ url: transport.readUrl, webSocket, onMessage, onBeat, onEnd });
    this.#link = link;
    if (this.isClosed) link.end('it was closed');
    await link.opened();
    this.#begin(link).catch((error) => link.end(error));
    return ended;
  }

  async #begin(link: Link): Promise<void> {
    if (!link.isOpen) return;
    this.#due = new Set();
    await this.#subscribe([...this.#topics.keys()]);
    if (this.#link !== link || !link.isOpen) return;
    this.#isLive = true;
    this.#tell(() => this.#options.onLive?.());
    // Those that came meanwhile.
    if (this.#due.size > 0) this.#subscribeDue();
    void this.#watch(link);
    void this.#watchBeats(link);
  }

  /** A connection may be dead without anyone noticing, or lead to a node that has lost touch with its log. */
  async #watch(link: Link): Promise<void> {
    const { pingMs = PING_MS } = this.#options;
    for (let refusals = 0; link.isOpen; ) {
      const restMs = link.heardMs + pingMs - performance.now();
      await pause(Math.max(restMs, refusals > 0 ? pingMs : 0), this.#stop.signal);
      if (!link.isOpen || performance.now() - link.heardMs < pingMs) continue;
      const fault = await link.ask('"op":"ping"', { timeoutMs: SILENCE_MS }).then(faultOf, () => SILENT);
      refusals = fault === null ? 0 : refusals + 1;
      if (fault === SILENT || refusals === REFUSALS_MAX) link.end(fault!);
    }
  }

  /** Something in between may drop beats alone. What was sent before the answer to a ping has come with it. */
  async #watchBeats(link: Link): Promise<void> {
    while (link.isOpen) {
      const fromMs = Math.max(link.beatMs, this.#followsSinceMs);
      await pause(fromMs + BEAT_LATE_MS - performance.now(), this.#stop.signal);
      if (!link.isOpen) return;
      const { beatMs } = link;
      if (Math.max(beatMs, this.#followsSinceMs) > fromMs) continue;
      if (this.#topics.size === 0) this.#followsSinceMs = performance.now();
      else if ((await this.#answersPing(link)) && link.beatMs === beatMs) link.end('its beats do not arrive');
    }
  }

  async #answersPing(link: Link): Promise<boolean> {
    return link.ask('"op":"ping"', { timeoutMs: SILENCE_MS }).then(
      () => true,
      () => false,
    );
  }

  #lost(): void {
    this.#isLive = false;
    this.#link = null;
    this.#token = null;
    for (const topic of this.#all()) topic.lost();
  }

  /** Signs in with the client's token, and with a new one where the venue has forgotten it. */
  async #signIn(): Promise<void> {
    const { credentials, auth } = this.#parts;
    for (const isAgain of [false, true]) {
      const { token } = credentials;
      if (token === null || token === this.#token) return;
      try {
        await this.#ask('auth', { token });
        this.#token = token;
        return;
      } catch (error) {
        if (isAgain || !(error instanceof UnauthorizedError)) throw error;
        await auth.renew();
      }
    }
  }

  /** False where the session has ended: its channels are refused then, and the public ones go on. */
  async #signInFor(names: readonly string[]): Promise<boolean> {
    try {
      await this.#signIn();
      return true;
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      for (const name of names) this.#refuse(name, error);
      return false;
    }
  }

  #subscribeSoon(name: string): void {
    if (this.#due.size === 0 && this.#isLive) queueMicrotask(() => this.#subscribeDue());
    this.#due.add(name);
  }

  #subscribeDue(): void {
    const names = [...this.#due].filter((name) => this.#topics.has(name));
    this.#due = new Set();
    const link = this.#link;
    this.#subscribe(names).catch((error) => link?.end(error));
  }

  async #subscribe(asked: readonly string[]): Promise<void> {
    const turn = {};
    for (const name of asked) this.#awaited.set(name, turn);
    try {
      const own = asked.filter((name) => PRIVATE.has(name));
      const isIn = own.length === 0 || (await this.#signInFor(own));
      const names = isIn ? asked : asked.filter((name) => !PRIVATE.has(name));
      for (let i = 0; i < names.length; i += NAMES_MAX)
        await this.#subscribeAll(names.slice(i, i + NAMES_MAX), turn);
    } finally {
      this.#answered(asked, turn);
    }
  }

  async #subscribeAll(names: readonly string[], turn: object): Promise<void> {
    const channels = names.flatMap((name) => this.#requestOf(name));
    if (channels.length === 0) return;
    // The next beat is about these subscriptions.
    const onAnswer = () => this.#answered(names, turn);
    const request = membersOf('subscribe', { channels });
    this.#takeSubscribed(names, await this.#linkNow().ask(request, { timeoutMs: ASK_MS, onAnswer }));
  }

  /** Unless a later request asks for them again. */
  #answered(names: readonly string[], turn: object): void {
    for (const name of names) if (this.#awaited.get(name) === turn) this.#awaited.delete(name);
  }

  /** Refused channels are named; an answer that names none is about all of them. */
  #takeSubscribed(names: readonly string[], answer: ChannelAnswer): void {
    if (answer.status >= SERVER_FAULT) throw refusalOf(answer);
    const { resumed = [], refused } = answer.body as Partial<Subscribed>;
    for (const name of resumed) for (const topic of this.#topics.get(name) ?? []) topic.resumed();
    for (const { channel, error, ...of } of refused ?? [])
      this.#refuse(channel, venueErrorOf({ ...of, message: error }));
    if (answer.status === 200 || refused !== undefined) return;
    for (const name of names) this.#refuse(name, refusalOf(answer));
  }

  /** Readers of one channel that know different entries all need a snapshot. */
  #requestOf(name: string): Topic['request'][] {
    const [first, ...others] = this.#topics.get(name) ?? [];
    if (first === undefined) return [];
    return [others.every((topic) => topic.mark === first.mark) ? first.request : first.requestOfAll(others)];
  }

  #refuse(name: string, reason: Error): void {
    const topics = this.#topics.get(name) ?? [];
    this.#topics.delete(name);
    for (const { handlers } of topics) handlers.onRefused(reason);
  }

  /** The one place that decides whether a channel misses messages that were sent (STR-5). */
  #takeBeat(link: Link, beat: StreamBeat): void {
    const { short, lineFault } = this.#keptUp.judge(beat, (name) => {
      const topics = this.#topics.get(name);
      return topics ? { topics, isAwaited: this.#due.has(name) || this.#awaited.has(name) } : null;
    });
    if (lineFault !== null) {
      link.end(`messages of ${lineFault} do not arrive`);
      return;
    }
    for (const name of short) {
      for (const topic of this.#topics.get(name)!) topic.lost();
      this.#subscribeSoon(name);
    }
  }

  #take(message: ChannelMessage | StreamEnd): void {
    const topics = this.#topics.get(message.channel);
    if (topics === undefined) return;
    if (message.type === 'end') {
      this.#refuse(message.channel, endedBy(message));
      return;
    }
    const isWhole = [...topics].map((topic) => topic.take(message)).every(Boolean);
    if (!isWhole) this.#subscribeSoon(message.channel);
  }

  async #ask(op: string, members: object): Promise<object> {
    const sent = membersOf(op, members);
    const { status, code, body: answer } = await this.#linkNow().ask(sent, { timeoutMs: ASK_MS });
    if (status === 200) return answer as object;
    throw refusalOf({ status, ...(code !== undefined && { code }), body: answer });
  }

  #linkNow(): Link {
    if (this.#link === null) throw new VenueUnreachableError('there is no connection', { neverSent: true });
    return this.#link;
  }

  *#all(): Generator<Topic> {
    for (const topics of this.#topics.values()) yield* topics;
  }

  #tell(handler: () => void): void {
    if (!this.isClosed) this.#parts.transport.handlers.call(handler);
  }
}

const SILENT = 'it was silent';

function faultOf(answer: ChannelAnswer): Error | null {
  return answer.status === 200 ? null : refusalOf(answer);
}

function refusalOf({ status, code, body }: Pick<ChannelAnswer, 'status' | 'code' | 'body'>): VenueError {
  return venueErrorOf({ status, code, message: String((body as { error?: unknown }).error) });
}

/** The refusal that a subscription would now be answered. */
function endedBy({ channel, reason }: StreamEnd): VenueError {
  const message = `${channel} has ended: ${reason}`;
  return venueErrorOf({ status: 400, code: 'channel-ended', message, reason });
}

/** A request as JSON members without braces. */
function membersOf(op: string, members: object): string {
  return `"op":"${op}",${JSON.stringify(members).slice(1, -1)}`;
}
