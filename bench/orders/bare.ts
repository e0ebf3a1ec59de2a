/**
 * The comparison server for signed orders: parses the same JSON, verifies the same signatures in batches on worker
 * threads, answers, and does nothing else. It knows each key's account from the start and its public key from the first
 * signature, so it can verify, which is cheaper than recovering the signer as the exchange does.
 */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  batchEnvelope,
  cancelEnvelope,
  type EnvelopeFields,
  orderEnvelope,
  readActions,
  toMicros,
} from '@venue/protocol';
import type { SignedText } from './bare-verifier.ts';
import type { Session } from './traders.ts';

/** Sent to the server before the first write. */
export interface BareStart {
  readonly venue: string;
  readonly sessions: readonly Session[];
}

interface SignedBody {
  readonly sessionKey: string;
  readonly nonce: number;
  readonly signature: string;
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  readonly qty: number;
  readonly price: number;
  readonly actions: readonly { readonly type: string }[];
}

interface Job extends SignedText {
  readonly response: ServerResponse;
  readonly answer: () => unknown;
}

/** Like the exchange: one thread per core but one, and no more than these. */
const THREADS_MAX = 4;
const BATCH_MAX = 32;
const KEEP_ALIVE_MS = 72_000;
/** One being processed and one waiting. */
const BATCHES_IN_FLIGHT_MAX = 2;

const accounts = new Map<string, Session['account']>();
const waiting: Job[] = [];
let lastOrderId = 0;
let venue = '';

class Thread {
  readonly #worker = new Worker(new URL('./bare-verifier.ts', import.meta.url));
  readonly #inFlight: Job[][] = [];

  constructor() {
    this.#worker.on('message', (verdicts: readonly boolean[]) => {
      const jobs = this.#inFlight.shift()!;
      dispatch();
      for (const [i, job] of jobs.entries()) respond(job, verdicts[i]!);
    });
  }

  get isFree(): boolean {
    return this.#inFlight.length < BATCHES_IN_FLIGHT_MAX;
  }

  send(jobs: Job[]): void {
    this.#inFlight.push(jobs);
    this.#worker.postMessage(
      jobs.map(({ text, signature, signer }): SignedText => ({ text, signature, signer })),
    );
  }
}

const threadCount = Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1));
const threads = Array.from({ length: threadCount }, () => new Thread());
// Like the exchange: connections stay open while the next orders are being signed.
const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  let body = '';
  request.setEncoding('latin1');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    waiting.push(jobOf(request.url!, JSON.parse(body), response));
    dispatch();
  });
});

function jobOf(path: string, body: SignedBody, response: ServerResponse): Job {
  const { sessionKey, nonce, signature } = body;
  const fields = { account: accounts.get(sessionKey)!, nonce };
  const job = { response, signature, signer: sessionKey };
  switch (path) {
    case '/v1/order':
      return { ...job, text: orderText(fields, body), answer: orderAnswer };
    case '/v1/batch':
      return { ...job, text: batchText(fields, body), answer: () => batchAnswer(body) };
    default:
      return { ...job, text: cancelEnvelope({ ...fields, symbols: 'all' }), answer: cancelAnswer };
  }
}

function orderAnswer() {
  return { status: 'rested', orderId: ++lastOrderId, fills: [], restedQty: 0 };
}

function cancelAnswer() {
  return { ok: true, pulled: 0 };
}

function batchAnswer({ actions }: SignedBody) {
  const answers = { place: orderAnswer, 'cancel-all': cancelAnswer };
  return { results: actions.map(({ type }) => ({ type, ...answers[type as keyof typeof answers]() })) };
}

function batchText(fields: EnvelopeFields, { actions }: SignedBody): string {
  const read = readActions(actions);
  if ('error' in read) throw new Error(read.error);
  return batchEnvelope({ ...fields, venue, actions: read });
}

function orderText(fields: EnvelopeFields, { seriesId, side, qty, price }: SignedBody): string {
  const qtyMicros = toMicros(Math.round(qty * 1e6));
  const priceMicros = toMicros(Math.round(price * 1e6));
  return orderEnvelope({ ...fields, seriesId, side, qtyMicros, priceMicros });
}

function dispatch(): void {
  for (const thread of threads) {
    while (thread.isFree && waiting.length > 0) thread.send(waiting.splice(0, BATCH_MAX));
  }
}

function respond({ response, answer }: Job, isGood: boolean): void {
  const body = JSON.stringify(answer());
  response.writeHead(isGood ? 200 : 401, {
    'content-type': 'application/json',
    'content-length': body.length,
  });
  response.end(body);
}

process.on('message', ({ venue: id, sessions }: BareStart) => {
  venue = id;
  for (const { account, sessionKey } of sessions) accounts.set(sessionKey, account);
  server.listen(0, '127.0.0.1', () => {
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});
process.on('disconnect', () => process.exit());
