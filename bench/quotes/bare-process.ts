/** The bare server of quote pushes as a process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export class BareServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  static async start(): Promise<BareServer> {
    const child = spawn(process.execPath, ['bench/quotes/bare-server.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout!.setEncoding('utf8'), 'data');
    return new BareServer(child, String(line).trim());
  }

  end(): void {
    this.#process.kill('SIGKILL');
  }
}
