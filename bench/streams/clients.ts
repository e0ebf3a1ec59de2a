/** A process with thousands of stream clients, which times every frame and compares it with the expected one. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type DelayReport, Delays } from './delays.ts';
import { sharedMs, TICK_MS } from './plan.ts';
import { PrivateStream } from './private.ts';
import { StreamSocket } from './socket.ts';
import { Told } from './told.ts';

export type ClientsOrder =
  | {
      readonly do: 'connect';
      readonly url: string;
      readonly plain: number;
      readonly slow: number;
      readonly slowToken: string | null;
      readonly tokens: readonly string[];
    }
  /** The next ticks and the planned time of the first. */
  | { readonly do: 'expect'; readonly startMs: number; readonly ticks: number }
  /** Waits, up to a limit, until every client has every frame, then reports; measurement then starts again. */
  | { readonly do: 'settle'; readonly limitMs: number }
  /** Counts the clients that do not read and were dropped by the exchange. */
  | { readonly do: 'count-dropped' };

export interface ClientsReport {
  readonly public: DelayReport;
  readonly private: DelayReport;
  /** Frames that reading clients did not get in time, or at all. */
  readonly undelivered: number;
  /** Reading clients that the exchange dropped anyway. */
  readonly dropped: number;
  readonly cpuMs: number;
  readonly fault: string | null;
}

const CONNECTING = 100;
const LOOK_EVERY_MS = 10;
const DISCARD_MS = 1_000;

const ticksMs: number[] = [];
const told = new Told(ticksMs);
const delays = { public: new Delays(), private: new Delays() };
const reading: StreamSocket[] = [];
const slow: StreamSocket[] = [];
let fault: unknown = null;
let cpu = process.cpuUsage();

async function answerTo(order: ClientsOrder): Promise<object> {
  switch (order.do) {
    case 'connect':
      await connectAll(order);
      return {};
    case 'expect':
      for (let i = 0; i < order.ticks; i++) ticksMs.push(order.startMs + i * TICK_MS);
      cpu = process.cpuUsage();
      return {};
    case 'settle':
      return settle(order.limitMs);
    case 'count-dropped':
      return { slowDropped: await countDropped() };
    default:
      return order satisfies never;
  }
}

/** A few at a time, as the exchange's accept queue is finite. */
async function connectAll(order: ClientsOrder & { do: 'connect' }): Promise<void> {
  const opens = [
    ...order.tokens.map((token, i) => async () => reading.push(await open(order.url, { token, account: i }))),
    ...Array.from({ length: order.plain }, () => async () => reading.push(await open(order.url, {}))),
    ...Array.from(
      { length: order.slow },
      () => async () => slow.push(await open(order.url, { token: order.slowToken, isSlow: true })),
    ),
  ];
  const work = async () => {
    for (let next = opens.pop(); next !== undefined; next = opens.pop()) await next();
  };
  await Promise.all(Array.from({ length: CONNECTING }, work));
}

interface Kind {
  readonly token?: string | null;
  readonly account?: number;
  readonly isSlow?: boolean;
}

function open(url: string, { token, account, isSlow = false }: Kind): Promise<StreamSocket> {
  return StreamSocket.open({
    url,
    token: token ?? null,
    told,
    account: account === undefined ? null : new PrivateStream(account, ticksMs),
    isSlow,
    clockMs: sharedMs,
    onFrame: (ms, isPublic) => delays[isPublic ? 'public' : 'private'].add(ms),
    onFault: (error) => {
      fault ??= error;
    },
  });
}

async function settle(limitMs: number): Promise<ClientsReport> {
  const untilMs = performance.now() + limitMs;
  while (fault === null && undelivered() > 0 && performance.now() < untilMs) await sleep(LOOK_EVERY_MS);
  const { user, system } = process.cpuUsage(cpu);
  const report: ClientsReport = {
    public: delays.public.report,
    private: delays.private.report,
    undelivered: undelivered(),
    dropped: reading.filter(({ isClosed }) => isClosed).length,
    cpuMs: (user + system) / 1_000,
    fault: fault === null ? null : String(fault),
  };
  for (const one of Object.values(delays)) one.clear();
  return report;
}

/** The end of a connection shows only after reading up to it. */
async function countDropped(): Promise<number> {
  for (const client of slow) client.discard();
  await sleep(DISCARD_MS);
  return slow.filter(({ isClosed }) => isClosed).length;
}

/** Frames missing at reading clients. */
function undelivered(): number {
  const tick = ticksMs.length - 1;
  const untold = told.missing(tick);
  return reading.reduce(
    (sum, { behind, account }) => sum + untold + behind + (account?.missing(tick) ?? 0),
    0,
  );
}

process.on('message', async (order: ClientsOrder) => process.send!(await answerTo(order)));
process.once('disconnect', () => process.exit());
