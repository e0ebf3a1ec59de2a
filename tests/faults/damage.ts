/**
 * Damage done to the file of a log behind the back of the exchange: a byte in a snapshot, a byte in an entry, an entry
 * taken away.
 *
 *   node tests/faults/damage.ts
 */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { wrongAccounts } from './accounts.ts';
import { Crowd } from './crowd.ts';
import { Evidence } from './evidence.ts';
import { finish, say } from './figures.ts';
import { NodeProcess } from './node-process.ts';
import { runScript } from './options.ts';

const TRADERS = 4;
const WRITES = 100;

/** A log with two snapshots and entries after the newer, and who made it. */
export interface Sound {
  readonly path: string;
  readonly crowd: Crowd;
  /** Of the snapshots, newest first. */
  readonly seqs: readonly number[];
  readonly lastSeq: number;
}

/** Everything below happens in one folder, which is gone in the end. */
export class DamageRun {
  readonly #folder = mkdtempSync(join(tmpdir(), 'venue-damage-'));
  #node: NodeProcess | undefined;
  #sound: Sound | undefined;

  get sound(): Sound {
    return this.#sound!;
  }

  /** Two clean stops and then a kill, each after some writes. */
  async prepare(): Promise<void> {
    const path = join(this.#folder, 'sound.db');
    const node = await this.#nodeAt(path);
    let crowd: Crowd | undefined;
    for (const how of ['stop', 'stop', 'kill'] as const) {
      await node.start();
      crowd ??= await Crowd.gather({ urls: [node.url], traders: TRADERS });
      crowd.start();
      await crowd.untilServed(WRITES);
      await crowd.stop();
      await node[how]();
    }
    const db = new DatabaseSync(path);
    const seqs = db.prepare('SELECT seq FROM snapshot ORDER BY seq DESC').all();
    const last = db.prepare('SELECT max(seq) AS seq FROM log').get()!;
    db.close();
    this.#sound = {
      path,
      crowd: crowd!,
      seqs: seqs.map(({ seq }) => Number(seq)),
      lastSeq: Number(last.seq),
    };
  }

  /** Starts on a copy after the statement was run on it; resolves when it has ended or answers. */
  async start(statement: string): Promise<{ node: NodeProcess; path: string; isListening: boolean }> {
    const path = join(this.#folder, 'damaged.db');
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    copyFileSync(this.sound.path, path);
    const db = new DatabaseSync(path);
    const { changes } = db.prepare(statement).run();
    db.close();
    if (changes !== 1) throw new Error(`${statement} changed ${changes} rows`);
    const node = await this.#nodeAt(path);
    node.launch();
    const ended = node.ends(20_000).catch(() => null);
    await Promise.race([node.untilListening().catch(() => {}), ended]);
    return { node, path, isListening: node.isListening };
  }

  end(): void {
    this.#node?.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #nodeAt(path: string): Promise<NodeProcess> {
    this.#node?.end();
    // A copy of a log without its history is told of in lines of its own, which are not looked at here.
    const env = { VENUE_LOG_LEVEL: 'warn', VENUE_HISTORY: 'off' };
    this.#node = await NodeProcess.at(`sqlite:${path}`, env);
    return this.#node;
  }
}

/** The older snapshot is used, the damaged one is named, and what comes of it is what replay gives. */
export async function damagedSnapshot(run: DamageRun): Promise<string[]> {
  const { crowd, seqs } = run.sound;
  const [newest] = seqs;
  const { node, path, isListening } = await run.start(flip('snapshot', newest!));
  if (!isListening) return [`did not start: ${node.output}`];
  const faults = node.output.includes(`"seq":${newest},`)
    ? []
    : [`does not name the snapshot: ${node.output}`];
  const evidence = new Evidence(`sqlite:${path}`);
  await evidence.catchUp();
  faults.push(...(await wrongAccounts({ url: node.url, traders: crowd.traders, state: evidence.state })));
  await node.stop();
  faults.push(...(await evidence.checkSnapshot()), ...evidence.faults(crowd.writes));
  return faults;
}

/** The start is refused with one line that names the entry, or the entries of its batch, which have one hash. */
export async function damagedEntry(run: DamageRun, how: 'flip' | 'delete'): Promise<string[]> {
  const { seqs, lastSeq } = run.sound;
  // Among those that a start reads.
  const seq = Math.ceil((seqs[0]! + lastSeq) / 2);
  const { node, isListening } = await run.start(
    how === 'flip' ? flip('log', seq) : `DELETE FROM log WHERE seq = ${seq}`,
  );
  if (isListening) return ['started on a log that is damaged'];
  const code = await node.ends();
  const lines = node.output.trim().split('\n');
  say(`an entry damaged by ${how}: ${lines.at(-1)}`);
  const [, from, to = from] = /\b(?:entry|one of the entries) (\d+)(?: to (\d+))? is /.exec(lines[0]!) ?? [];
  const isNamed = lines.length === 1 && Number(from) <= seq && seq <= Number(to);
  return code === 1 && isNamed ? [] : [`ended with ${code} and wrote ${node.output}`];
}

/** Puts another byte in the middle of a body. */
function flip(table: 'log' | 'snapshot', seq: number): string {
  const middle = 'length(CAST(body AS BLOB)) / 2';
  const after = `substr(hex(CAST(body AS BLOB)), 2 * (${middle}) + 3)`;
  const byte = `substr(hex(CAST(body AS BLOB)), 2 * (${middle}) + 1, 2)`;
  const other = `CASE ${byte} WHEN '30' THEN '31' ELSE '30' END`;
  const before = `substr(hex(CAST(body AS BLOB)), 1, 2 * (${middle}))`;
  return `UPDATE ${table} SET body = unhex(${before} || ${other} || ${after}) WHERE seq = ${seq}`;
}

if (import.meta.main)
  await runScript({}, async () => {
    const run = new DamageRun();
    try {
      await run.prepare();
      finish([
        ...(await damagedSnapshot(run)),
        ...(await damagedEntry(run, 'flip')),
        ...(await damagedEntry(run, 'delete')),
      ]);
    } finally {
      run.end();
    }
  });
