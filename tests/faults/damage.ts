/**
 * Damage to the files of a log whose exchange was killed: a byte in a snapshot, in an entry, or in the WAL; a missing
 * WAL; a file from an older copy.
 *
 *   node tests/faults/damage.ts
 */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Crowd } from './crowd.ts';
import { Evidence } from './evidence.ts';
import { finish, say } from './figures.ts';
import { stopAndCheck } from './judge.ts';
import { NodeProcess } from './node-process.ts';
import { runScript } from './options.ts';
import { wrongAccountsShown } from './shown.ts';

const TRADERS = 4;
const WRITES = 100;
/** This many bytes of a body occur in one place only. */
const PIECE = 32;
const SIGNATURE = '"signature":"0x';

const SUFFIXES = ['', '-wal', '-head'] as const;
type Files = Record<(typeof SUFFIXES)[number], Buffer>;

/** A log with two snapshots and, in the WAL, entries after the newer one, with the traders who made it. */
export interface Sound {
  readonly files: Files;
  /** The database file alone, as it was when the newer snapshot had been saved. */
  readonly older: Buffer;
  /** The database file after a checkpoint of the WAL. */
  readonly moved: Buffer;
  readonly crowd: Crowd;
  /** Sequence numbers of the snapshots, newest first. */
  readonly seqs: readonly number[];
  readonly lastSeq: number;
}

/** Works in one temporary folder, which is deleted at the end. */
export class DamageRun {
  readonly #folder = mkdtempSync(join(tmpdir(), 'venue-damage-'));
  readonly #path = join(this.#folder, 'venue.db');
  #node: NodeProcess | undefined;
  #sound: Sound | undefined;

  get sound(): Sound {
    return this.#sound!;
  }

  /** Two clean stops and then a kill, each after some writes. */
  async prepare(): Promise<void> {
    const node = await this.#newNode();
    const evidence = new Evidence(`sqlite:${this.#path}`);
    let crowd: Crowd | undefined;
    let older: Buffer | undefined;
    for (const how of ['stop', 'stop', 'kill'] as const) {
      await node.start();
      crowd ??= await Crowd.gather({ urls: [node.url], traders: TRADERS });
      crowd.start();
      await crowd.untilServed(WRITES);
      await crowd.stop();
      await evidence.catchUp();
      if (how === 'kill') await node.kill();
      else assert.deepEqual(await stopAndCheck(node, evidence), []);
      if (how === 'stop') older = readFileSync(this.#path);
    }
    const files = Object.fromEntries(
      SUFFIXES.map((suffix) => [suffix, readFileSync(this.#path + suffix)]),
    ) as Files;
    const db = new DatabaseSync(this.#path);
    const seqs = db.prepare('SELECT seq FROM snapshot ORDER BY seq DESC').all();
    const last = db.prepare('SELECT max(seq) AS seq FROM log').get()!;
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    this.#sound = {
      files,
      older: older!,
      moved: readFileSync(this.#path),
      crowd: crowd!,
      seqs: seqs.map(({ seq }) => Number(seq)),
      lastSeq: Number(last.seq),
    };
  }

  /** The stored bytes of a row in the sound log. */
  bodyOf(table: 'log' | 'snapshot', seq: number): Buffer {
    writeFileSync(this.#path, this.sound.moved);
    rmSync(`${this.#path}-wal`, { force: true });
    const db = new DatabaseSync(this.#path, { readOnly: true });
    const { body } = db.prepare(`SELECT body FROM ${table} WHERE seq = ?`).get(seq)!;
    db.close();
    return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body as Uint8Array);
  }

  /** Starts on the sound files except for those given; resolves when it has ended or answers. */
  async start(changed: Partial<Files>): Promise<{ node: NodeProcess; path: string; isListening: boolean }> {
    rmSync(`${this.#path}-shm`, { force: true });
    const files = { ...this.sound.files, ...changed };
    for (const suffix of SUFFIXES) writeFileSync(this.#path + suffix, files[suffix]);
    const node = await this.#newNode();
    node.launch();
    await node.untilListening().catch(() => {});
    return { node, path: this.#path, isListening: node.isListening };
  }

  end(): void {
    this.#node?.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #newNode(): Promise<NodeProcess> {
    this.#node?.end();
    // A log copied without its history is reported in extra lines, which do not matter here.
    const env = { VENUE_LOG_LEVEL: 'warn', VENUE_HISTORY: 'off' };
    this.#node = await NodeProcess.at(`sqlite:${this.#path}`, env);
    return this.#node;
  }
}

/** Checks that the older snapshot is used, the damaged one is named, and the result equals a replay. */
export async function damagedSnapshot(run: DamageRun): Promise<string[]> {
  const { crowd, seqs, moved } = run.sound;
  const [newest] = seqs;
  const changed = { '': withFlip(moved, run.bodyOf('snapshot', newest!)), '-wal': Buffer.alloc(0) };
  const { node, path, isListening } = await run.start(changed);
  if (!isListening) return [`did not start: ${node.output}`];
  const faults = node.output.includes(`"seq":${newest},`)
    ? []
    : [`does not name the snapshot: ${node.output}`];
  const evidence = new Evidence(`sqlite:${path}`);
  faults.push(...(await wrongAccountsShown({ url: node.url, traders: crowd.traders, evidence })));
  faults.push(...(await stopAndCheck(node, evidence)), ...evidence.faults(crowd.writes));
  return faults;
}

/** The kinds of damage, and the entry that the refused start must name, or the first and last of several. */
const DAMAGES = {
  'a byte of an entry in the file': (run: DamageRun) => {
    const { moved } = run.sound;
    const seq = signedSeq(run);
    return {
      changed: { '': withFlip(moved, run.bodyOf('log', seq)), '-wal': Buffer.alloc(0) },
      line: /(?:entry|one of the entries) (\d+)(?: to (\d+))? is damaged/,
      seqs: [seq, seq],
    };
  },
  'a byte of an entry in the WAL': (run: DamageRun) => {
    const { files, seqs } = run.sound;
    const seq = signedSeq(run);
    return {
      changed: { '-wal': withFlip(files['-wal'], run.bodyOf('log', seq)) },
      line: /-wal is damaged: entry (\d+) cannot be read, and commits stand behind it; restore/,
      // Only the end of a batch is hashed, and the entry may be in its middle.
      seqs: [seqs[0]! + 1, seq],
    };
  },
  'a WAL that is gone': (run: DamageRun) => {
    const { seqs, lastSeq } = run.sound;
    return {
      changed: { '-wal': Buffer.alloc(0) },
      line: /the log ends with entry (\d+), and entry (\d+) was durable: its end is missing; restore/,
      seqs: [seqs[0]!, lastSeq],
    };
  },
  'a file from an older copy': (run: DamageRun) => {
    const { older, seqs, lastSeq } = run.sound;
    return {
      changed: { '': older, '-wal': Buffer.alloc(0) },
      line: /the log ends with entry (\d+), and entry (\d+) was durable: its end is missing; restore/,
      seqs: [seqs[0]!, lastSeq],
    };
  },
} as const;

/** The first write with a signature in the second half of those that a start reads. */
function signedSeq(run: DamageRun): number {
  const { seqs, lastSeq } = run.sound;
  let seq = Math.ceil((seqs[0]! + lastSeq) / 2);
  while (!run.bodyOf('log', seq).includes(SIGNATURE)) seq += 1;
  return seq;
}

export type Damage = keyof typeof DAMAGES;
export const ALL_DAMAGES = Object.keys(DAMAGES) as Damage[];

/**
 * Checks that the start is refused with one line that names the entry, or the entries of its batch, which share one
 * hash.
 */
export async function damagedLog(run: DamageRun, damage: Damage): Promise<string[]> {
  const { changed, line, seqs } = DAMAGES[damage](run);
  const { node, isListening } = await run.start(changed);
  if (isListening) return [`started with ${damage}`];
  const code = await node.ends();
  const lines = node.output.trim().split('\n');
  say(`${damage}: ${lines.at(-1)}`);
  const [, from, to = from] = line.exec(lines[0]!) ?? [];
  const isNamed = lines.length === 1 && Number(from) <= seqs[1]! && seqs[0]! <= Number(to);
  return code === 1 && isNamed ? [] : [`ended with ${code} and wrote ${node.output}`];
}

/**
 * Flips a bit of the stored value, which may span pages: of its signature, as other values may have any other part in
 * common with it, or in the middle of one without.
 */
function withFlip(bytes: Buffer, stored: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const signature = stored.indexOf(SIGNATURE);
  const first = signature < 0 ? Math.floor(stored.length / 2) : signature + SIGNATURE.length;
  for (let from = first; from + PIECE < stored.length; from += 1) {
    const at = copy.indexOf(stored.subarray(from, from + PIECE));
    if (at < 0) continue;
    copy[at]! ^= 1;
    return copy;
  }
  throw new Error('what is to be damaged is not there');
}

if (import.meta.main)
  await runScript({}, async () => {
    const run = new DamageRun();
    try {
      await run.prepare();
      const faults = await damagedSnapshot(run);
      for (const damage of ALL_DAMAGES) faults.push(...(await damagedLog(run, damage)));
      finish(faults);
    } finally {
      run.end();
    }
  });
