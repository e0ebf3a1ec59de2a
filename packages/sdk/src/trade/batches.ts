/** Sends batches: one signature for up to 64 actions (BAT-2). */

import { batchEnvelope, type OrderRecord } from '@venue/protocol';
import type { CallOptions, Raw, Transport } from '../net/transport.ts';
import type { Credentials } from '../sign/credentials.ts';
import { signature } from '../sign/signed-bodies.ts';
import type { VenuePin } from '../sign/venue-pin.ts';
import type { Session } from '../sign/wallet.ts';
import { type Action, type ActionResult, type PreparedBatch, prepare, type ResultsOf } from './actions.ts';
import { type Attempt, Delivery, type DeliveryParts, Undelivered } from './delivery.ts';
import { Lookup } from './lookup.ts';
import { type Findings, Outcomes, OutcomeUnknownError, type Retried } from './outcome.ts';

/** How a write is sent. */
export interface WriteOptions extends CallOptions {
  /** For how long a batch is sent again after a lost answer; by default 30 s, and 0 sends it once. */
  readonly retryMs?: number;
}

export interface BatchOptions extends WriteOptions {
  /** True if the account comes with the answer; by default it does. */
  readonly account?: boolean;
  /**
   * True where a process that has ended may have sent the client ids that the actions name: they are looked up first, and
   * an order that is known is answered as `duplicate` and not sent again, however long ago it was.
   */
  readonly mayRepeat?: boolean;
}

/** The answer to a batch: one result for each action, in order. */
export interface BatchAnswer<T extends readonly Action[]> extends Omit<Retried, 'results'> {
  readonly results: ResultsOf<T>;
}

const RETRY_MS = 30_000;
/** Client ids of the caller that are remembered as sent. */
const NAMED_MAX = 10_000;

/** Posts the bytes of a batch another way than by HTTP; resolves with null where that way is not open. */
export type PostBatch = (
  transport: Transport,
  batch: { readonly body: string; readonly prefer: string | undefined },
) => Promise<Raw | null>;

export interface BatchParts {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly pin: VenuePin;
  /** Gets a new token after the venue has forgotten the old one. */
  readonly renew: () => Promise<void>;
  readonly post?: PostBatch;
}

const MINIMAL = 'return=minimal';

export class Batches {
  readonly #parts: BatchParts;
  /** Client ids that callers have named, oldest first: one that comes again is looked up before it is sent (CID-1). */
  readonly #named = new Set<string>();

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /**
   * Delivers the actions. Throws as `prepare` does, the venue's refusal, or `OutcomeUnknownError`.
   */
  async send<const T extends readonly Action[]>(
    actions: T,
    options: BatchOptions = {},
  ): Promise<BatchAnswer<T>> {
    const prepared = prepare(actions);
    const before = await this.#before(actions, prepared, options);
    const batch = withoutActions(prepared, before);
    if (batch.wire.length === 0) return (await this.#onlyBefore(before, options)) as BatchAnswer<T>;
    const delivery = new Delivery(batch, this.#deliveryParts(batch, options));
    const deliver = async (): Promise<Retried> => {
      try {
        return withResults(await delivery.run(options.retryMs ?? RETRY_MS), before);
      } catch (error) {
        if (!(error instanceof Undelivered)) throw error;
        // The signal has ended this call, and not those by which its outcome is found.
        const { signal: _, ...bounds } = options;
        const parts = this.#deliveryParts(batch, bounds);
        delivery.use(parts);
        throw this.#unknown(error, { batch, parts, delivery, deliver });
      }
    };
    return (await deliver()) as BatchAnswer<T>;
  }

  /** By place, the results of orders that were placed before with an id that comes again. */
  async #before(
    actions: readonly Action[],
    prepared: PreparedBatch,
    options: BatchOptions,
  ): Promise<ReadonlyMap<number, ActionResult>> {
    const before = new Map<number, ActionResult>();
    const lookup = new Lookup(this.#deliveryParts(prepared, options), null);
    for (const [at, action] of actions.entries()) {
      if (action.type !== 'place' && action.type !== 'combo') continue;
      const { type, clientId } = action;
      if (clientId === undefined) continue;
      const order = options.mayRepeat || this.#named.has(clientId) ? await lookup.order({ clientId }) : null;
      this.#note(clientId);
      if (order !== null)
        before.set(at, { type, status: 'duplicate', orderId: order.id, clientId, fills: [], restedQty: 0 });
    }
    return before;
  }

  #note(clientId: string): void {
    this.#named.delete(clientId);
    this.#named.add(clientId);
    const [oldest] = this.#named;
    if (this.#named.size > NAMED_MAX) this.#named.delete(oldest!);
  }

  /** Nothing is left to send. */
  async #onlyBefore(before: ReadonlyMap<number, ActionResult>, options: BatchOptions): Promise<Retried> {
    const results = [...before.values()];
    if (options.account === false) return { results, isRecovered: true };
    const parts = this.#deliveryParts(NOTHING, options);
    return { results, account: await new Lookup(parts, null).account(), isRecovered: true };
  }

  #deliveryParts(batch: PreparedBatch, options: BatchOptions): DeliveryParts {
    const { credentials, pin, renew, post } = this.#parts;
    const transport = this.#parts.transport.with(options);
    const wantsAccount = options.account !== false;
    const { session } = credentials;
    const prefer = wantsAccount ? undefined : MINIMAL;
    return {
      ...{ transport, credentials, renew, wantsAccount },
      post: async (body) => (await post?.(transport, { body, prefer })) ?? null,
      headers: () => ({ ...credentials.headers(), ...(prefer && { prefer }) }),
      sign: async () => this.#attempt(batch, { session, venue: await pin.id(transport) }),
      mark: () => new Outcomes({ transport, credentials, renew }).mark(session!),
      verify: () => pin.verify(transport),
    };
  }

  async #attempt(
    { wire: actions, signed }: PreparedBatch,
    { session, venue }: { readonly session: Session | null; readonly venue: string },
  ): Promise<Attempt> {
    const { credentials } = this.#parts;
    if (session === null)
      return { body: JSON.stringify({ actions }), nonce: null, sentAtMs: credentials.now() };
    const nonce = await credentials.nonceOf(session.sessionKey);
    const sentAtMs = credentials.now();
    const text = batchEnvelope({ venue, account: session.account, actions: signed, nonce });
    return { body: JSON.stringify({ actions, ...signature(session, text, nonce) }), nonce, sentAtMs };
  }

  #unknown({ cause, isProven, sentAtMs }: Undelivered, lost: Lost): OutcomeUnknownError {
    const verdict = isProven ? 'carried out' : 'unknown';
    const findings: Findings = { verdict, account: null, fillsSince: [], orderIds: [] };
    return this.#error(cause as Error, findings, { ...lost, sentAtMs });
  }

  #error(cause: Error, findings: Findings, lost: Lost & { readonly sentAtMs: number }): OutcomeUnknownError {
    const { clientIds } = lost.batch;
    const ids = clientIds.length === 0 ? '' : `; client ids ${clientIds.join(', ')}`;
    const message = `no answer to POST /v1/batch, ${findings.verdict}: ${cause.message}${ids}; retry() goes on, and nothing trades twice`;
    const lookAgain = () => this.#lookAgain(cause, lost);
    return new OutcomeUnknownError(message, findings, { cause, clientIds, lookAgain, retry: lost.deliver });
  }

  /** Finds out what it can, without placing anything. */
  async #lookAgain(cause: Error, lost: Lost & { readonly sentAtMs: number }): Promise<OutcomeUnknownError> {
    const { batch, parts, delivery, sentAtMs } = lost;
    const outcomes = new Outcomes(parts);
    const { session } = parts.credentials;
    const spend = async (nonce: number) => outcomes.spendNonce(session && { session, nonce });
    const verdict = await delivery.settle(spend).catch(() => 'unknown' as const);
    const evidence = await outcomes.evidence({ sentAtMs });
    const orderIds = await this.#placedIds(batch, parts).catch(() => []);
    return this.#error(cause, { ...evidence, verdict, orderIds }, lost);
  }

  async #placedIds({ clientIds }: PreparedBatch, parts: DeliveryParts): Promise<number[]> {
    const lookup = new Lookup(parts, null);
    const orders: (OrderRecord | null)[] = [];
    for (const clientId of clientIds) orders.push(await lookup.order({ clientId }));
    return orders.flatMap((order) => (order === null ? [] : [order.id]));
  }
}

interface Lost {
  readonly batch: PreparedBatch;
  readonly parts: DeliveryParts;
  readonly delivery: Delivery;
  readonly deliver: () => Promise<Retried>;
}

const NOTHING: PreparedBatch = { wire: [], signed: [], clientIds: [], isUrgent: false };

function withoutActions(batch: PreparedBatch, before: ReadonlyMap<number, unknown>): PreparedBatch {
  if (before.size === 0) return batch;
  const isLeft = (_: unknown, at: number) => !before.has(at);
  const wire = batch.wire.filter(isLeft);
  const clientIds = wire.flatMap((action) =>
    action.type === 'place' || action.type === 'combo' ? [action.clientId!] : [],
  );
  return { ...batch, wire, signed: batch.signed.filter(isLeft), clientIds };
}

/** The results of what was sent, with those of what was not in their places. */
function withResults(delivered: Retried, before: ReadonlyMap<number, ActionResult>): Retried {
  if (before.size === 0) return delivered;
  const sent = delivered.results.values();
  const places = delivered.results.length + before.size;
  const results = Array.from({ length: places }, (_, at) => before.get(at) ?? sent.next().value!);
  return { ...delivered, results };
}
