/** A client that writes all the time, and records its requests and answers. */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ActionWire,
  type BatchAction,
  batchEnvelope,
  bytesToHex,
  MESSAGES,
  quotesEnvelope,
  readActions,
  sha256,
} from '@venue/protocol';
import { signPersonal } from '@venue/protocol/signing';
import {
  Nonces,
  randomPrivateKey,
  type Session,
  signCancel,
  signCancelOrder,
  signMargin,
  signOrder,
  VenueClient,
  walletFromPrivateKey,
} from '@venue/sdk';
import { RandomActions } from './actions.ts';
import { pick } from './chance.ts';
import { type Heard, isAcknowledgement, PATHS, type Write, type WriteKind } from './write.ts';

export interface TraderOptions {
  /** Every node; the trader stays with one until it fails. */
  readonly urls: readonly string[];
  readonly home: number;
  readonly series: readonly string[];
  /** Called on each acknowledgement, with the index of the node in `urls`. */
  readonly onAcknowledged: (node: number) => void;
  /** Timeout of a write (5 s by default). */
  readonly timeoutMs?: number;
}

/** Fates of writes without an acknowledgement. */
export interface Counts {
  refusedConnections: number;
  brokenConnections: number;
  timeouts: number;
  internalErrors: number;
}

export function noCounts(): Counts {
  return { refusedConnections: 0, brokenConnections: 0, timeouts: 0, internalErrors: 0 };
}

/** No connection was made, so nothing can have happened. */
const UNSENT = 'unsent';
/** Sent, with an unknown result. */
const UNKNOWN = 'unknown';

const TIMEOUT_MS = 5_000;
const RETRY_MS = 50;
/** Between two writes: some of a crowd's are under way at any moment, and the machine has time for the fault. */
const PAUSE_MS = 80;
/** Share of writes with an unknown fate that are sent again, unchanged. */
const REPEATED = 0.5;
const ACTS: readonly WriteKind[] = [
  ...Array<'order'>(10).fill('order'),
  ...Array<'batch'>(6).fill('batch'),
  ...Array<'quote-set'>(4).fill('quote-set'),
  'cancel-order',
  'cancel-order',
  'cancel',
  'margin',
];

export class Trader {
  readonly writes: Write[] = [];
  /** Answers that no client should ever get, whatever fails behind the venue. */
  readonly faults: string[] = [];
  readonly counts = noCounts();
  readonly #options: TraderOptions;
  readonly #nonces = new Nonces();
  readonly #orderIds: number[] = [];
  readonly #actions: RandomActions;
  /** Id of the venue, or null while it does not take batches. */
  #venue: string | null = null;
  #session: Session | undefined;
  #token = '';
  #node: number;
  #isAbandoned = false;

  constructor(options: TraderOptions) {
    this.#options = options;
    this.#actions = new RandomActions(options.series);
    this.#node = options.home;
  }

  /** A bearer token; all nodes that share a secret accept it. */
  get token(): string {
    return this.#token;
  }

  get address(): string {
    return this.#session!.account;
  }

  goHome(): void {
    this.#node = this.#options.home;
  }

  /** Abandons its pending request. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** Approves a session key and turns margin on. */
  async open(): Promise<void> {
    const url = this.#options.urls[this.#options.home]!;
    const client = new VenueClient({ url });
    this.#venue = await venueIdOf(url);
    this.#session = await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
    this.#token = client.token!;
    await this.#write(this.#sign('margin'));
    this.#actions.takesSets = this.#venue !== null && (await this.#takesSets());
    if (this.#actions.takesSets) await this.#write(this.#sign('batch', [this.#actions.protection(1)]));
  }

  /** Writes until the signal stops it, whatever happens meanwhile. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const kind = pick(ACTS);
      await this.#write(this.#sign(this.#isTaken(kind) ? kind : 'order'));
      await sleep(PAUSE_MS);
    }
  }

  #isTaken(kind: WriteKind): boolean {
    if (kind === 'quote-set') return this.#actions.takesSets;
    return kind !== 'batch' || this.#venue !== null;
  }

  /** A venue without a market refuses. */
  async #takesSets(): Promise<boolean> {
    const probe = this.#sign('quote-set');
    const answer = await this.#send(probe);
    const isTaken = typeof answer === 'object' && answer.body.error === MESSAGES.unknownSet.error;
    if (isTaken) this.#note(probe, answer);
    else this.writes.pop();
    return isTaken;
  }

  /** Sends acknowledged writes again, which must be refused as spent. */
  async repeatAcknowledged(): Promise<void> {
    const write = this.writes.findLast(({ heard }) => heard !== null);
    if (write === undefined) return;
    const answer = await this.#send(write);
    if (typeof answer === 'string' || answer.status === 500) return;
    if (!isSpent(answer)) this.faults.push(`a repetition was answered ${answer.status}`);
  }

  #sign(kind: WriteKind, actions?: readonly ActionWire[]): Write {
    const nonce = this.#nonces.next();
    const { account, sessionKey } = this.#session!;
    const body = JSON.stringify(
      kind === 'quote-set' ? { quotes: this.#actions.quotes() } : this.#signed(kind, nonce, actions),
    );
    const headers = kind === 'quote-set' && { headers: this.#pushHeaders(body, nonce) };
    const write = {
      kind,
      key: `${account} ${sessionKey} ${nonce}`,
      body,
      ...headers,
      heard: null,
      askedMs: performance.now(),
      heardMs: 0,
      isKnownToBeIn: false,
    };
    this.writes.push(write);
    return write;
  }

  #signed(kind: WriteKind, nonce: number, actions?: readonly ActionWire[]): object {
    const session = this.#session!;
    if (kind === 'margin') return signMargin(session, { enabled: Math.random() < 0.9 }, nonce);
    if (kind === 'cancel') return signCancel(session, {}, nonce);
    if (kind === 'cancel-order')
      return signCancelOrder(session, { orderId: this.#orderIds.pop() ?? 1 }, nonce);
    if (kind === 'batch') return this.#signedBatch(session, nonce, actions ?? this.#actions.batch());
    return signOrder(session, this.#actions.terms(), nonce);
  }

  #signedBatch(
    { account, sessionKey, privateKey }: Session,
    nonce: number,
    actions: readonly ActionWire[],
  ): object {
    const read = readActions(actions) as readonly BatchAction[];
    const text = batchEnvelope({ venue: this.#venue!, account, actions: read, nonce });
    return { actions, sessionKey, nonce, signature: signPersonal(text, privateKey) };
  }

  #pushHeaders(body: string, nonce: number): Record<string, string> {
    const { account, sessionKey, privateKey } = this.#session!;
    const bodyHash = bytesToHex(sha256(new TextEncoder().encode(body)));
    const text = quotesEnvelope({ venue: this.#venue!, account, set: 1, form: 'json', bodyHash, nonce });
    return {
      'x-session-key': sessionKey,
      'x-nonce': String(nonce),
      'x-signature': signPersonal(text, privateKey),
    };
  }

  async #write(write: Write): Promise<void> {
    let answer = await this.#sendUntilConnected(write);
    if (answer === UNKNOWN && Math.random() < REPEATED) {
      answer = await this.#sendUntilConnected(write);
      if (typeof answer !== 'string' && isSpent(answer)) {
        write.isKnownToBeIn = true;
        write.heardMs = performance.now();
        return;
      }
    }
    if (typeof answer !== 'string') this.#note(write, answer);
  }

  /** On a refused connection, tries the next node with the same write. */
  async #sendUntilConnected(write: Write): Promise<Heard | typeof UNKNOWN> {
    for (;;) {
      const answer = await this.#send(write);
      if (typeof answer === 'object' && answer.status !== 500) return answer;
      if (typeof answer === 'object') this.counts.internalErrors += 1;
      this.#node = (this.#node + 1) % this.#options.urls.length;
      await sleep(RETRY_MS);
      if (answer !== UNSENT || this.#isAbandoned) return UNKNOWN;
    }
  }

  #note(write: Write, heard: Heard): void {
    // The venue was unreachable for too long; the fate is still unknown.
    if (isTooLate(heard)) return;
    if (!isAcknowledgement(heard)) {
      this.faults.push(`${write.kind} was answered ${heard.status} ${JSON.stringify(heard.body)}`);
      return;
    }
    write.heard = heard;
    write.heardMs = performance.now();
    const { orderId } = heard.body;
    if (write.kind === 'order' && typeof orderId === 'number' && orderId > 0) this.#orderIds.push(orderId);
    this.#options.onAcknowledged(this.#node);
  }

  async #send({ kind, body, headers }: Write): Promise<Heard | typeof UNSENT | typeof UNKNOWN> {
    const { urls, timeoutMs = TIMEOUT_MS } = this.#options;
    try {
      const response = await fetch(`${urls[this.#node]}${PATHS[kind]}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, body: (await response.json()) as Heard['body'] };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      const isUnsent = cause?.code === 'ECONNREFUSED';
      if (isUnsent) this.counts.refusedConnections += 1;
      else if (name === 'TimeoutError') this.counts.timeouts += 1;
      else this.counts.brokenConnections += 1;
      return isUnsent ? UNSENT : UNKNOWN;
    }
  }
}

function isTooLate({ status, body }: Heard): boolean {
  const { nonceOutsideWindow } = MESSAGES;
  return status === nonceOutsideWindow.status && body.error === nonceOutsideWindow.error;
}

function isSpent({ status, body }: Heard): boolean {
  return status === MESSAGES.nonceUsed.status && body.error === MESSAGES.nonceUsed.error;
}

/** Null for a venue whose first entry has not come. */
async function venueIdOf(url: string): Promise<string | null> {
  const response = await fetch(`${url}/v1/venue`);
  if (response.status !== 200) return null;
  const { venue } = (await response.json()) as { venue: string | null };
  return venue;
}
