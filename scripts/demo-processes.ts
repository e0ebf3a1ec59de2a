/** The processes of a demonstration: started together, watched, and ended whatever happens. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url));
const STOP_LIMIT_MS = 8_000;

export class DemoProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #ended: Promise<unknown>;

  /** Its lines are shown, marked with its name. No VENUE_ variable but those given is passed on. */
  constructor(name: string, words: readonly string[], env: Readonly<Record<string, string>>) {
    this.name = name;
    const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('VENUE_'));
    this.#child = spawn(process.execPath, [MAIN, ...words], {
      env: { ...Object.fromEntries(inherited), ...env },
      // Ctrl-C in a terminal goes to this process alone, which then ends the others in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#ended = once(this.#child, 'close');
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => this.#show(line));
    }
  }

  #show(line: string): void {
    this.#lines.push(line);
    console.log(`   [${this.name}] ${line}`);
  }

  /** Waits for a line; throws when the process ends without one, or the time is over. */
  async says(pattern: RegExp, limitMs: number): Promise<RegExpExecArray> {
    const untilMs = performance.now() + limitMs;
    while (performance.now() < untilMs) {
      for (const line of this.#lines) {
        const found = pattern.exec(line);
        if (found !== null) return found;
      }
      this.check();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${this.name} did not get ready in ${limitMs / 1_000} s`);
  }

  /** Throws when the process has ended. */
  check(): void {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      throw new Error(`${this.name} has ended; what it said stands above`);
  }

  /** The exit code. */
  async exits(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.#ended;
    clearTimeout(timer);
  }
}

export class DemoProcesses {
  readonly #running: DemoProcess[] = [];

  /** Starts `venue <word>`, to run until the end. */
  start(word: string, env: Readonly<Record<string, string>>): DemoProcess {
    const started = new DemoProcess(word, [word], env);
    this.#running.push(started);
    return started;
  }

  /** Runs a command of `venue` to its end; throws when it fails. */
  async run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    const code = await new DemoProcess(words[0]!, words, env).exits();
    if (code !== 0) throw new Error(`venue ${words.join(' ')} failed`);
  }

  /** Throws when one of them has ended. */
  check(): void {
    for (const running of this.#running) running.check();
  }

  /** The last started first: who depends on others stops before them. */
  async stop(): Promise<void> {
    for (const running of this.#running.reverse()) await running.stop();
  }
}
