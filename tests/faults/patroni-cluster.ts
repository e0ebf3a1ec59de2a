/** Three PostgreSQL machines that Patroni and etcd combine into one log that survives any single one. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../e2e/launched.ts';
import { whyNoDebianPostgres } from '../wide/drills-postgres.ts';
import { isInstalled } from './machine.ts';
import { type Lease, PatroniMachine } from './patroni-machine.ts';

const MAKE_CLUSTER = fileURLToPath(new URL('../../deploy/patroni/make-cluster', import.meta.url));
const NAMES = ['n1', 'n2', 'n3'] as const;
const WHOLE_LIMIT_MS = 120_000;

/** Why there can be no such cluster here, or undefined. */
export function whyNoPatroni(): string | undefined {
  if (userInfo().uid !== 0) return 'needs root, to run servers as the user postgres';
  for (const [program, name] of Object.entries({
    patroni: 'patroni',
    etcd: 'etcd-server',
    openssl: 'openssl',
  }))
    if (!isInstalled(program)) return `needs the Debian package ${name}`;
  return whyNoDebianPostgres();
}

export class PatroniCluster {
  readonly machines: readonly PatroniMachine[];
  /** `VENUE_LOG` of its nodes. */
  readonly url: string;
  readonly #folder: string;

  private constructor(folder: string, machines: readonly PatroniMachine[]) {
    this.#folder = folder;
    this.machines = machines;
    const url = readFileSync(join(folder, 'cluster/log'), 'utf8').trim();
    this.url = url!.replace('/etc/venue/postgres-ca.pem', join(folder, 'cluster/ca.pem'));
  }

  static async start(lease?: Lease): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-patroni-'));
    chmodSync(folder, 0o755);
    // Separate loopback addresses, so that every machine has the ports of a real one.
    const network = `127.${random(1, 254)}.${random(0, 254)}`;
    const addresses = NAMES.map((name, i) => ({ name, address: `${network}.${i + 1}` }));
    const made = join(folder, 'cluster');
    execFileSync(MAKE_CLUSTER, [made, ...addresses.map(({ name, address }) => `${name}=${address}`)]);
    chmodSync(made, 0o755);
    const machines = addresses.map(
      (one) => new PatroniMachine({ ...one, folder: join(made, one.name), ...(lease && { lease }) }),
    );
    const cluster = new PatroniCluster(folder, machines);
    try {
      await Promise.all(machines.map((machine) => machine.start()));
      await cluster.whole();
    } catch (error) {
      const logs = machines.map((machine) => machine.lastWords());
      await cluster.remove();
      throw new Error([(error as Error).message, ...logs].join('\n\n'), { cause: error });
    }
    return cluster;
  }

  /**
   * Waits until one machine accepts writes, both others follow it and one of them may take over; resolves with the
   * first.
   */
  async whole(): Promise<PatroniMachine> {
    return eventually('a primary with two standbys', () => this.#wholePrimary(), WHOLE_LIMIT_MS);
  }

  /** The machine that accepts writes, if there is exactly one. */
  async primary(): Promise<PatroniMachine | undefined> {
    const found = await Promise.all(
      this.machines.map(async (machine) => ((await machine.isPrimary()) ? machine : undefined)),
    );
    const primaries = found.filter((machine) => machine !== undefined);
    return primaries.length === 1 ? primaries[0] : undefined;
  }

  /** The URL of the log on that machine. */
  urlOf({ address }: PatroniMachine): string {
    return this.url.replace(/@[^/]*/, `@${address}:5432`);
  }

  others(than: PatroniMachine): PatroniMachine[] {
    return this.machines.filter((machine) => machine !== than);
  }

  /** How often a returning server was rewound to the others' state instead of being copied again. */
  rewinds(): number {
    return count(this.machines, /running pg_rewind from dbname=/g);
  }

  async remove(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.remove()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #wholePrimary(): Promise<PatroniMachine | undefined> {
    const primary = await this.primary();
    if (primary === undefined) return undefined;
    const [row] = await primary.sql(FOLLOWERS).catch(() => []);
    if (Number(row?.[0]) !== this.machines.length - 1) return undefined;
    // A standby that commits wait for may take over only after Patroni has recorded it.
    return (await primary.successors().catch(() => [])).length > 0 ? primary : undefined;
  }
}

const FOLLOWERS = `SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND application_name IN ('n1', 'n2', 'n3')`;

function count(machines: readonly PatroniMachine[], pattern: RegExp): number {
  return machines.reduce((sum, machine) => sum + (machine.log('patroni').match(pattern)?.length ?? 0), 0);
}

function random(min: number, max: number): number {
  return min + Math.floor(Math.random() * (max - min + 1));
}
