/** Runs the market maker from its start to its stop. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff, pause, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { whileServing } from '@venue/telemetry';
import { AccountLines } from './account-lines.ts';
import { Annotator } from './annotator.ts';
import type { MakerConfig } from './config.ts';
import { Maker, type MakerOptions } from './maker.ts';
import { MakerLine } from './maker-line.ts';
import { FencedError } from './session.ts';
import { SetLine } from './set-line.ts';

export interface RunMakerOptions {
  readonly config: MakerConfig;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
}

const STATUS_EVERY_MS = 60_000;
/** The longest wait of a stop for the push in flight, so that the pull comes after it. */
const LAST_PUSH_MS = 1_000;

/**
 * Quotes every listed series until the signal aborts, then pulls everything. Waits for an exchange that is down. Once
 * another maker has taken over it stops quoting and says so every minute until it is stopped. If it exited, a
 * supervisor would restart it and it would fence the other in turn, endlessly.
 */
export async function runMaker(options: RunMakerOptions): Promise<void> {
  const maker = new Maker({ ...options, ...wayOf(options) });
  await whileServing(options.config.metricsPort, maker.registry(), () => runUntilStopped(maker, options));
}

/** Quote sets where there are wallets, and the maker's session otherwise. */
function wayOf({ config, log }: RunMakerOptions): Pick<MakerOptions, 'line' | 'annotator'> {
  const { url, makerToken, walletKeys, parameters, paceMs } = config;
  if (walletKeys === null) return { line: new MakerLine({ url, makerToken: makerToken! }), annotator: null };
  const accounts = walletKeys.map(({ symbol, key }) => {
    const wallet = walletFromPrivateKey(key);
    return { symbol, line: new SetLine({ url, wallet, parameters, paceMs, log }) };
  });
  const line = new AccountLines(accounts);
  const annotator = makerToken === null ? null : new Annotator(new VenueClient({ url }).maker(makerToken));
  return { line, annotator };
}

async function runUntilStopped(maker: Maker, options: RunMakerOptions): Promise<void> {
  const { config, signal, log } = options;
  log(`quoting on ${config.url}`);
  const status = setInterval(() => log(maker.statusLine()), STATUS_EVERY_MS);
  const quoting = quote(maker, options).catch((error: unknown) => {
    if (!(error instanceof FencedError)) throw error;
    clearInterval(status);
    return stayFenced(maker, error, options);
  });
  try {
    await Promise.race([quoting, stopped(signal).then(() => sleep(LAST_PUSH_MS, null, { ref: false }))]);
  } finally {
    clearInterval(status);
    await maker.stop();
  }
  log('stopped');
}

async function quote(maker: Maker, { signal, log }: RunMakerOptions): Promise<void> {
  const backoff = new Backoff({ limitMs: 5_000 });
  let lastFailure = '';
  while (!signal.aborted) {
    try {
      await maker.connect();
      for (; !signal.aborted; await maker.pause()) {
        await maker.round();
        backoff.reset();
        lastFailure = '';
      }
    } catch (error) {
      if (!(error instanceof Error) || error instanceof FencedError) throw error;
      if (error.message !== lastFailure) log(`cannot quote, trying again: ${error.message}`);
      lastFailure = error.message;
      await pause(backoff.next(), signal);
    }
  }
}

async function stayFenced(maker: Maker, error: FencedError, { signal, log }: RunMakerOptions): Promise<void> {
  maker.fence();
  while (!signal.aborted) {
    log(`fenced, quoting no more until started again: ${error.message}`);
    await pause(STATUS_EVERY_MS, signal);
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
