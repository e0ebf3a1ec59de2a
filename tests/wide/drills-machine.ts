/**
 * A machine as laid out by docs/how-to/deploy.md, in a separate folder, on which a page's commands run unchanged,
 * except that its folders and the port of the exchange are replaced, and that `systemctl` is a few lines of shell that
 * start the units' commands.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { callWitness, lastLines, noteUnreaped } from '../../scripts/evidence.ts';
import { freePort, isAlive, SMALL_MARKET } from '../e2e/launched.ts';
import { systemctlScript } from './systemctl.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['/opt/venue', '/etc/venue', '/var/lib/venue-', '/var/backups/venue'];
const UNITS = '/etc/systemd/system';
const SMALL = Object.entries(SMALL_MARKET).map(([name, value]) => `${name}=${value}`);
const BLOCK = /^```sh\n([\s\S]*?)^```$/gm;

/** Shell blocks under a heading of a page, of the second level or the third, in order. */
export function blocksUnder(page: string, heading: string): string[] {
  const whole = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const after = ['##', '###'].map((level) => whole.split(`\n${level} ${heading}\n`)[1]).find(Boolean);
  if (after === undefined) throw new Error(`docs/${page} has no heading ${heading}`);
  return [...after.split(/^##+ /m)[0]!.matchAll(BLOCK)].map(([, block]) => block!);
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'venue-drill-'));
  readonly port: number;
  readonly env: Record<string, string> = {};

  readonly #dismiss = callWitness(() => this.#logs());

  private constructor(port: number) {
    this.port = port;
  }

  static async create(): Promise<Machine> {
    const machine = new Machine(await freePort());
    await machine.#lay();
    return machine;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The local path of a page's path. */
  path(path: string): string {
    return this.#moved(path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  secret(name: string): string {
    return this.read(`/etc/venue/secrets/${name}`).trim();
  }

  /** Runs commands of a page unchanged; each must succeed. */
  async run(commands: string): Promise<string> {
    const { status, stdout, stderr } = await this.tries(commands);
    if (status !== 0)
      throw new Error(`${commands}\nended with ${status}:\n${lastLines(stdout)}${lastLines(stderr)}`);
    return stdout;
  }

  async tries(commands: string): Promise<Ran> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', this.#moved(commands)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 200_000,
      env: {
        PATH: `${this.folder}/bin:${process.env.PATH}`,
        HOME: this.folder,
        LC_ALL: 'C.UTF-8',
        VENUE_URL: this.url,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        ...this.env,
      },
    });
    const ended = once(child, 'close');
    const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { status, stdout, stderr };
  }

  /** Ends everything it started. */
  remove(): void {
    this.#dismiss();
    for (const name of ['exchange', 'feed', 'maker']) {
      const pid = Number(spawnSync('cat', [join(this.folder, 'run', `${name}.pid`)]).stdout);
      if (pid > 0 && isAlive(pid)) {
        noteUnreaped([pid]);
        process.kill(pid, 'SIGKILL');
      }
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #lay(): Promise<void> {
    for (const folder of [
      'bin',
      'run',
      'opt/venue/releases',
      'etc/venue',
      'var/lib/venue-exchange',
      'var/backups',
    ])
      mkdirSync(join(this.folder, folder), { recursive: true });
    symlinkSync(ROOT, join(this.folder, 'opt/venue/releases/0.1.0'));
    symlinkSync(join(this.folder, 'opt/venue/releases/0.1.0'), join(this.folder, 'opt/venue/current'));
    writeFileSync(
      join(this.folder, 'etc/venue/exchange.env'),
      [`VENUE_PORT=${this.port}`, 'VENUE_LOG_LEVEL=warn', ...SMALL, ''].join('\n'),
    );
    for (const name of ['feed', 'maker'])
      writeFileSync(join(this.folder, `etc/venue/${name}.env`), `VENUE_URL=${this.url}\n`);
    this.#program('venue', readFileSync(join(ROOT, 'deploy/bin/venue'), 'utf8'));
    this.#program('systemctl', systemctlScript({ run: join(this.folder, 'run'), switchesUsers: false }));
    mkdirSync(join(this.folder, 'run/units'));
    for (const unit of globSync('*.service', { cwd: join(ROOT, 'deploy/systemd') })) {
      const lines = readFileSync(join(ROOT, 'deploy/systemd', unit), 'utf8');
      writeFileSync(join(this.folder, 'run/units', unit), this.#moved(lines));
    }
    await this.run('cd /opt/venue/current && deploy/bin/make-secrets /etc/venue/secrets');
    writeFileSync(this.path('/etc/venue/secrets/log'), this.#moved(this.secret('log')));
  }

  #program(name: string, text: string): void {
    const path = join(this.folder, 'bin', name);
    writeFileSync(path, this.#moved(text));
    chmodSync(path, 0o755);
  }

  #moved(text: string): string {
    const moved = FOLDERS.reduce((so, folder) => so.replaceAll(folder, `${this.folder}${folder}`), text);
    return moved
      .replaceAll(UNITS, join(this.folder, 'run/units'))
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${this.port}`);
  }

  /** The last words of each of its processes. */
  #logs(): [name: string, content: string][] {
    const names = globSync('*.log', { cwd: join(this.folder, 'run') });
    return names.map((name) => [name, lastLines(readFileSync(join(this.folder, 'run', name), 'utf8'))]);
  }
}
