/** A primary and its standbys on one machine, with synchronous quorum replication. */

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { credentials, makeFolder, ownFolder, PASSWORD, PostgresServer, USER } from './postgres-server.ts';

export interface ClusterOptions {
  readonly standbys: number;
  /** How many standbys a commit waits for (1). */
  readonly quorum?: number;
}

interface Member {
  /** Its name in `synchronous_standby_names`. */
  readonly name: string;
  readonly server: PostgresServer;
}

export class PostgresCluster {
  readonly #members: Member[] = [];
  readonly #quorum: number;
  #primary: PostgresServer;

  private constructor(primary: PostgresServer, quorum: number) {
    this.#primary = primary;
    this.#quorum = quorum;
    this.#members.push({ name: 'n1', server: primary });
  }

  static async start({ standbys, quorum = 1 }: ClusterOptions): Promise<PostgresCluster> {
    const primary = await PostgresServer.create({ settings: REPLICATED });
    await primary.start();
    const cluster = new PostgresCluster(primary, quorum);
    for (let i = 0; i < standbys; i++) await cluster.#addStandby(`n${i + 2}`);
    for (const { server, name } of cluster.#members) server.configure(cluster.#settings(name));
    for (const { server } of cluster.#members) await server.sql('SELECT pg_reload_conf()');
    await cluster.#untilQuorum();
    return cluster;
  }

  get primary(): PostgresServer {
    return this.#primary;
  }

  get standbys(): PostgresServer[] {
    return this.#members.map(({ server }) => server).filter((server) => server !== this.#primary);
  }

  /** Names all servers, as a node's URL must. */
  url(database = 'postgres'): string {
    const hosts = this.#members.map(({ server }) => `127.0.0.1:${server.port}`).join(',');
    return `postgres://${credentials()}@${hosts}/${database}`;
  }

  /** Promotes the most advanced standby, and lets the others follow it. Nothing else triggers a promotion. */
  async promote(candidates = this.standbys): Promise<PostgresServer> {
    const positions = await Promise.all(
      candidates.map(async (server) => {
        const [row] = await server.sql('SELECT pg_last_wal_receive_lsn() - $$0/0$$::pg_lsn');
        return { server, position: Number(row![0]) };
      }),
    );
    const { server } = positions.reduce((best, one) => (one.position > best.position ? one : best));
    await server.sql('SELECT pg_promote(true, 30)');
    this.#primary = server;
    for (const other of candidates) {
      if (other === server) continue;
      other.configure([...this.#settings(this.#nameOf(other)), conninfo(this.#nameOf(other), server.port)]);
      await other.sql('SELECT pg_reload_conf()');
    }
    return server;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#members.map(({ server }) => server.remove()));
  }

  /** Like pg_basebackup: a copy of the running primary, which catches up by itself. */
  async #addStandby(name: string): Promise<void> {
    const folder = makeFolder('venue-standby-');
    const client = new Client({ connectionString: this.#primary.url() });
    await client.connect();
    await client.query(`SELECT pg_backup_start($1, true)`, [name]);
    const data = join(folder, 'data');
    const leftOut = [join(this.#primary.data, 'postmaster.pid'), join(this.#primary.data, 'pg_wal', '0')];
    cpSync(this.#primary.data, data, {
      recursive: true,
      filter: (path) => !leftOut.some((one) => path.startsWith(one)),
    });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    await client.end();
    writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile);
    writeFileSync(join(data, 'standby.signal'), '');
    rmSync(join(data, 'postmaster.opts'), { force: true });
    ownFolder(folder);
    const server = await PostgresServer.create({ folder, settings: [] });
    server.configure([...REPLICATED, conninfo(name, this.#primary.port)]);
    await server.start();
    this.#members.push({ name, server });
  }

  /** Every member is configured as the primary it may become. */
  #settings(name: string): string[] {
    const others = this.#members.map((member) => member.name).filter((other) => other !== name);
    const settings = [
      ...REPLICATED,
      `synchronous_standby_names = 'ANY ${this.#quorum} (${others.join(', ')})'`,
    ];
    const { server } = this.#members.find((member) => member.name === name)!;
    return server === this.#primary ? settings : [...settings, conninfo(name, this.#primary.port)];
  }

  #nameOf(server: PostgresServer): string {
    return this.#members.find((member) => member.server === server)!.name;
  }

  async #untilQuorum(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      const [row] = await this.#primary.sql(
        `SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'quorum'`,
      );
      if (Number(row![0]) === this.#members.length - 1) return;
      await sleep(50);
    }
    throw new Error('the standbys do not follow');
  }
}

const REPLICATED = [
  'wal_level = replica',
  'max_wal_senders = 10',
  `wal_keep_size = '512MB'`,
  'hot_standby = on',
  `wal_receiver_timeout = '3s'`,
  `wal_retrieve_retry_interval = '200ms'`,
];

function conninfo(name: string, port: number): string {
  const value = `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD} application_name=${name} connect_timeout=2`;
  return `primary_conninfo = '${value}'`;
}
