/** `venue up`: exchange, feed, makers and crowd as separate processes, started, supervised and stopped together. */

import { fileURLToPath } from 'node:url';
import type { Environment } from '@venue/config';
import { besideLog, loadLogSpec } from '@venue/exchange/config';
import { Backoff, pause } from '@venue/sdk';
import { awaitEcho } from '../base/stop-signal.ts';
import { Child, type ChildEnd } from './child.ts';
import { findExample, guideText } from './guide.ts';
import { marketWallet } from './market-wallets.ts';
import { type Part, type UpEnvironments, upEnvironments } from './up-environments.ts';
import { withFreshTerminal } from './web-terminal.ts';

/**
 * In the order of stopping, those of one line at once; 3 s of the exchange's time are for requests in flight. Together
 * less than the 10 s that a stop may take.
 */
export const STOPS: readonly { readonly names: readonly (Part | 'exchange')[]; readonly limitMs: number }[] =
  [
    { names: ['crowd', 'maker', 'maker-2'], limitMs: 2_500 },
    { names: ['feed'], limitMs: 1_500 },
    { names: ['exchange'], limitMs: 5_000 },
  ];
/** Ctrl-C under npm arrives twice, from the terminal and from npm: a second one this soon is the same. */
const SAME_SIGNAL_MS = 1_000;
/** A start that takes longer is reported. */
const PATIENCE_MS = 3_000;
const QUOTES_LIMIT_MS = 60_000;
/** After a client ran this long its next restart is quick again. */
const STEADY_MS = 30_000;

/** The exchange's line once it is open. */
const START_LINE = /^exchange listening on (\S+)/;
/** The maker's line once its own quotes stand. */
const QUOTES_LINE = /^quotes stand in /;

/** For a log that is no file. */
const WALLETS_BESIDE_SERVER = './data/wallets';
const MAIN_PATH = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * Runs until a signal, then stops crowd and makers, feed, and exchange one after the other; a later signal kills them
 * immediately. Returns the exit code: 0 for a requested stop, 1 if the exchange did not start or died. Throws the
 * configuration error of the part whose variable is wrong.
 */
export function up(env: Environment): Promise<number> {
  const folder = besideLog(loadLogSpec(env), 'wallets') ?? WALLETS_BESIDE_SERVER;
  const run = new Run(upEnvironments(env, (name) => marketWallet(folder, name)));
  const onSignal = () => run.onSignal();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return run.toEnd();
}

class Run {
  readonly #environments: UpEnvironments;
  readonly #stop = new AbortController();
  readonly #children = new Map<string, Child>();
  #signalledAtMs: number | null = null;
  #killed = false;

  constructor(environments: UpEnvironments) {
    this.#environments = environments;
  }

  onSignal(): void {
    const nowMs = performance.now();
    if (this.#signalledAtMs === null) awaitEcho();
    this.#signalledAtMs ??= nowMs;
    this.#stop.abort();
    if (nowMs - this.#signalledAtMs < SAME_SIGNAL_MS) return;
    this.#killed = true;
    for (const child of this.#children.values()) child.kill();
  }

  async toEnd(): Promise<number> {
    const exchange = this.#start('exchange', await withFreshTerminal(this.#environments.exchange, say));
    const url = await this.#opened(exchange);
    // An exchange that refused to start has said why.
    if (url !== undefined) await this.#runMarket(exchange, url);
    const wasAsked = this.#stop.signal.aborted;
    this.#stop.abort();
    for (const { names, limitMs } of STOPS)
      await Promise.all(names.map((name) => this.#children.get(name)?.stop(limitMs)));
    return wasAsked && !this.#killed ? 0 : 1;
  }

  /** The address of the exchange once it is open, or undefined if it ended or must stop before that. */
  async #opened(exchange: Child): Promise<string | undefined> {
    const patience = setTimeout(
      () => say('the exchange is still starting; it reads its log first'),
      PATIENCE_MS,
    );
    const line = await Promise.race([exchange.match(START_LINE), this.#stopped()]);
    clearTimeout(patience);
    return line?.[1];
  }

  async #runMarket(exchange: Child, url: string): Promise<void> {
    const { parts } = this.#environments;
    for (const part of parts) if (part !== 'crowd') void this.#keepRunning(part, url);
    // A crowd before the first quotes would find nothing to trade.
    void this.#showGuide(url).then(async () => {
      if (parts.includes('crowd')) await this.#keepRunning('crowd', url);
    });
    const end = await Promise.race([exchange.ended, this.#stopped()]);
    if (end !== null && !this.#stop.signal.aborted)
      say(`exchange ended unexpectedly (${reasonOf(end)}); stopping`);
  }

  /** Restarts a client whenever it ends, at growing intervals, until the stop. */
  async #keepRunning(name: Part, url: string): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff({ firstMs: 500, limitMs: 30_000 });
    while (!signal.aborted) {
      const startedMs = performance.now();
      const end = await this.#start(name, this.#environments.client(name, url)).ended;
      if (signal.aborted) return;
      if (performance.now() - startedMs > STEADY_MS) backoff.reset();
      const waitMs = backoff.next();
      say(
        `${name} ended unexpectedly (${reasonOf(end)}); starting it again in ${(waitMs / 1_000).toFixed(1)} s`,
      );
      await pause(waitMs, signal);
    }
  }

  async #showGuide(url: string): Promise<void> {
    const { signal } = this.#stop;
    const untilMs = performance.now() + QUOTES_LIMIT_MS;
    // Quotes left by a killed maker are pulled when this one registers, so they must not be named.
    const quoted = this.#children.get('maker')?.match(QUOTES_LINE);
    await Promise.race([quoted, pause(QUOTES_LIMIT_MS, signal)]);
    const example = await findExample(url, signal, untilMs - performance.now());
    if (!signal.aborted) process.stdout.write(guideText(url, example));
  }

  #start(name: Part | 'exchange', env: Environment): Child {
    const word = name === 'maker-2' ? 'maker' : name;
    const child = new Child({ name, word, mainPath: MAIN_PATH, env });
    this.#children.set(name, child);
    return child;
  }

  #stopped(): Promise<null> {
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#stop.signal.addEventListener('abort', () => resolve(null), { once: true });
    return promise;
  }
}

function reasonOf({ code, signal }: ChildEnd): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

function say(line: string): void {
  process.stderr.write(`venue: ${line}\n`);
}
