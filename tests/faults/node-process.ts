/** One exchange as a process that can be started, killed, paused and stopped, always at the same address. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freePort, Launched } from '../e2e/launched.ts';
import { SETTINGS } from './crowd.ts';

const START_LINE = /exchange listening on (\S+)/;
/** A start takes 2 s of processor time, and half a minute where 20 others want it. */
export const START_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 10_000;
const END_LIMIT_MS = 5_000;

export class NodeProcess {
  readonly url: string;
  /** The folder of the release that the next launch runs; this one by default. */
  release: string | undefined;
  /** The Node that the next launch runs under; that of the test by default. */
  runtime: string | undefined;
  readonly #env: Readonly<Record<string, string>>;
  #launched: Launched | undefined;

  private constructor(port: number, log: string, env: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#env = { ...SETTINGS, ...env, VENUE_PORT: String(port), VENUE_LOG: log };
  }

  /** A node on the log that `log` names, not started yet. */
  static async at(log: string, env: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
    return new NodeProcess(await freePort(), log, env);
  }

  get pid(): number {
    return this.#launched!.process.pid!;
  }

  /** What the process of the last start has written. */
  get output(): string {
    return this.#launched?.output ?? '';
  }

  /** The lines after its start line that are none of its log: the history, on the same disk, may log a fault of it first. */
  get lastWords(): string {
    const lines = this.output.trim().split('\n').slice(1);
    return lines.filter((line) => !line.startsWith('{"level":')).join('\n');
  }

  get isListening(): boolean {
    return START_LINE.test(this.output);
  }

  launch(): void {
    const { release, runtime } = this;
    this.#launched = new Launched(['exchange'], { env: this.#env, release, runtime });
  }

  /** Resolves with the milliseconds from the launch to the first answer. */
  async start(): Promise<number> {
    const launchedMs = performance.now();
    this.launch();
    await this.untilListening();
    await this.untilAnswering();
    return performance.now() - launchedMs;
  }

  async untilListening(limitMs = START_LIMIT_MS): Promise<void> {
    await this.#launched!.says(START_LINE, limitMs);
  }

  /** Until it says that it is well. */
  async untilAnswering(limitMs = 30_000): Promise<void> {
    await eventually(`${this.url} is well`, () => this.isWell(), limitMs);
  }

  async isWell(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(2_000) });
      return ((await response.json()) as { ok: boolean }).ok;
    } catch {
      return false;
    }
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#launched!.exits(END_LIMIT_MS);
  }

  /** A clean stop; throws unless it ends with 0. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const code = await this.#launched!.exits(STOP_LIMIT_MS);
    if (code !== 0) throw new Error(`a clean stop ended with ${code}: ${this.output}`);
  }

  /** The exit code of a process that ends by itself. */
  async ends(limitMs = END_LIMIT_MS): Promise<number | null> {
    return this.#launched!.exits(limitMs);
  }

  signal(signal: NodeJS.Signals): void {
    this.#launched!.process.kill(signal);
  }

  /** Resolves once no thread of it moves any more: a signal takes its time, and a system call is finished first. */
  async standStill(): Promise<void> {
    this.signal('SIGSTOP');
    const { pid } = this;
    await eventually('the process stands still', () => hasStopped(pid));
  }

  /** Stands still for so long, as a suspended machine does. */
  async pause(ms: number): Promise<void> {
    this.signal('SIGSTOP');
    await sleep(ms);
    this.signal('SIGCONT');
  }

  /** For the end of a run, whatever came of it. */
  end(): void {
    this.#launched?.end();
  }
}

function hasStopped(pid: number): boolean {
  const states = readdirSync(`/proc/${pid}/task`).map((thread) =>
    /\) (\S)/.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
  );
  return states.every((state) => state?.[1] === 'T');
}
