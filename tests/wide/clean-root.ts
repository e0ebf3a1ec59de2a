/**
 * A bare Debian in a folder of its own, made by debootstrap from this machine's apt mirror, on which root types commands
 * of the documentation unchanged. It has the network of this machine; systemd does not run in it.
 */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { callWitness, lastLines } from '../../scripts/evidence.ts';
import { isInstalled, skipBecause, whyNoMount } from '../faults/machine.ts';
import { systemctlScript } from './systemctl.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CERTIFICATES = '/usr/local/share/ca-certificates';
const RUN = '/run/venue';
const OWN_PROGRAMS = '/usr/local/sbin';
const MIRROR_TIMEOUT_MS = 10_000;
/** Ends the script of `type` when one of its commands fails. */
const STRICT = ['bash', '-euo', 'pipefail', '-c'];
/** Installs what every machine has, but a root made by debootstrap does not. */
const OF_EVERY_MACHINE = `apt-get update -qq
apt-get install -y -qq --no-install-recommends systemd ca-certificates
update-ca-certificates`;

/** The `skip` of a test that needs a clean root. */
export async function skipWithoutCleanRoot(): Promise<string | false> {
  const why =
    whyNoMount() ?? (isInstalled('debootstrap') ? undefined : 'needs the Debian package debootstrap');
  return skipBecause(why) || skipBecause(await whyNoMirror(), { optional: true });
}

async function whyNoMirror(): Promise<string | undefined> {
  const address = mirror();
  try {
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(MIRROR_TIMEOUT_MS) });
    return undefined;
  } catch {
    return `the Debian mirror ${address} does not answer`;
  }
}

/** The Debian mirror of this machine. */
function mirror(): string {
  const listed = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Label: Debian'];
  return execFileSync('apt-get', listed, { encoding: 'utf8' }).split('\n')[0]!;
}

export class CleanRoot {
  readonly folder: string;
  readonly #dismiss = callWitness(() => this.#logs());

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes one of a release such as `bookworm`. `$SOURCE` is then what is committed here. Takes minutes. */
  static async create(release: string): Promise<CleanRoot> {
    const root = new CleanRoot(mkdtempSync(join(tmpdir(), `venue-${release}-`)));
    try {
      // Users of the services go through it.
      chmodSync(root.folder, 0o755);
      await promisify(execFile)('debootstrap', ['--variant=minbase', release, root.folder, mirror()]);
      await root.#lay();
      return root;
    } catch (error) {
      root.remove();
      throw error;
    }
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** Writes a command that goes before one of Debian's with the same name. */
  program(name: string, script: string): void {
    writeFileSync(this.path(join(OWN_PROGRAMS, name)), script, { mode: 0o755 });
  }

  /** Runs commands as root types them in its home folder. Resolves with their output; rejects where one fails. */
  async type(commands: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const [program = '', ...words] = [...this.entry(variables), ...STRICT, commands];
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    const [said, complaints, [status]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (status !== 0)
      throw new Error(`${commands}\nended with ${status}:\n${lastLines(said)}\n${lastLines(complaints)}`);
    return said;
  }

  /**
   * The words before a command that run it in the root as in a new login of root, with these variables and in a folder.
   * Its /proc is unmounted when the command ends.
   */
  entry(variables: Readonly<Record<string, string>> = {}, { folder = '/root' } = {}): string[] {
    const enter = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
    const environment = Object.entries({
      HOME: '/root',
      PATH: `${OWN_PROGRAMS}:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      LC_ALL: 'C.UTF-8',
      SOURCE: '/source/venue.git',
      DEBIAN_FRONTEND: 'noninteractive',
      SYSTEMD_OFFLINE: '1',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
      ...variables,
    }).map(([name, value]) => `${name}=${value}`);
    const inRoot = ['/usr/bin/env', '--ignore-environment', `--chdir=${folder}`, ...environment];
    return ['unshare', '--mount', 'sh', '-c', enter, this.folder, ...inRoot];
  }

  /** Ends whatever runs in it. */
  remove(): void {
    this.#dismiss();
    for (const pid of this.#processes()) process.kill(pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #lay(): Promise<void> {
    mkdirSync(this.path('source'));
    execFileSync('git', ['clone', '--quiet', '--bare', REPOSITORY, this.path('source/venue.git')]);
    copyFileSync('/etc/resolv.conf', this.path('etc/resolv.conf'));
    writeFileSync(this.path('etc/hosts'), '127.0.0.1 localhost\n');
    mkdirSync(this.path(CERTIFICATES), { recursive: true });
    for (const path of globSync(`${CERTIFICATES}/*.crt`))
      copyFileSync(path, this.path(join(CERTIFICATES, basename(path))));
    // Debian starts a server once it is installed.
    writeFileSync(this.path('usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    // Nothing in it outlives a power cut, so no package has to be on the disk before the next.
    writeFileSync(this.path('etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
    await this.type(OF_EVERY_MACHINE);
    this.program('systemctl', systemctlScript({ run: RUN, switchesUsers: true }));
    mkdirSync(this.path(RUN));
    symlinkSync('/etc/systemd/system', this.path(join(RUN, 'units')));
  }

  #processes(): number[] {
    const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return numbers.map(Number).filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/root`) === this.folder;
      } catch {
        return false;
      }
    });
  }

  /** The last words of each of its processes. */
  #logs(): [name: string, content: string][] {
    const names = globSync('*.log', { cwd: this.path(RUN) });
    return names.map((name) => [name, lastLines(this.read(join(RUN, name)))]);
  }
}
