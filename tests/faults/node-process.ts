/** One exchange process that can be started, killed, paused and stopped, always at the same address. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from '../../scripts/evidence.ts';
import { eventually, freePort, Launched, PATIENCE_MS } from '../e2e/launched.ts';
import { SETTINGS } from './crowd.ts';

const START_LINE = /exchange listening on (\S+)/;

export class NodeProcess {
  readonly url: string;
  /** The release folder of the next launch; this one by default. */
  release: string | undefined;
  /** The Node of the next launch; the test's by default. */
  runtime: string | undefined;
  readonly #env: Readonly<Record<string, string>>;
  #launched: Launched | undefined;

  private constructor(port: number, log: string, env: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#env = { ...SETTINGS, ...env, VENUE_PORT: String(port), VENUE_LOG: log };
  }

  /** A node on the log named by `log`, not started yet. */
  static async at(log: string, env: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
    return new NodeProcess(await freePort(), log, env);
  }

  get pid(): number {
    return this.#launched!.process.pid!;
  }

  /** The output of the last started process. */
  get output(): string {
    return this.#launched?.output ?? '';
  }

  /** The lines after its start line that are not log lines: the history, on the same disk, may log a fault first. */
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

  /** Resolves with the milliseconds from launch to first answer. */
  async start(): Promise<number> {
    const launchedMs = performance.now();
    this.launch();
    await this.untilListening();
    await this.untilAnswering();
    return performance.now() - launchedMs;
  }

  async untilListening(limitMs = PATIENCE_MS): Promise<void> {
    await this.#launched!.says(START_LINE, limitMs);
  }

  /** Waits until it reports that it is healthy. */
  async untilAnswering(limitMs = PATIENCE_MS): Promise<void> {
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
    await this.#launched!.exits();
  }

  /** Stops it cleanly; throws unless it exits with 0. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const code = await this.#launched!.exits();
    if (code !== 0) throw new Error(`a clean stop ended with ${code}: ${lastLines(this.output)}`);
  }

  /** The exit code of a process that ends by itself. */
  async ends(limitMs = PATIENCE_MS): Promise<number | null> {
    return this.#launched!.exits(limitMs);
  }

  signal(signal: NodeJS.Signals): void {
    this.#launched!.process.kill(signal);
  }

  /** Resolves once all its threads are stopped: a signal takes time, and system calls finish first. */
  async standStill(): Promise<void> {
    this.signal('SIGSTOP');
    const { pid } = this;
    await eventually('the process stands still', () => hasStopped(pid));
  }

  /** Pauses it for this long, like a suspended machine. */
  async pause(ms: number): Promise<void> {
    this.signal('SIGSTOP');
    await sleep(ms);
    this.signal('SIGCONT');
  }

  /** Clean-up after a run, whatever its result. */
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
