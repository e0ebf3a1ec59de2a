/**
 * Records a seeded log at the newest feature level, and a snapshot on the way, for `test/logs`; the test of recorded
 * logs takes the digests that it prints. Until the first release, a change of the log's form records them again.
 *
 *   node_modules/.bin/node packages/engine/sim/record.ts level-1-paper --seed 7
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { FEATURE_LEVEL, levelInForce } from '../src/entry/feature-level.ts';
import { apply, createState, NO_EFFECTS, stateDigest, stateLines } from '../src/index.ts';
import { logLine } from '../test/recorded.ts';
import { Generator } from './generate.ts';
import { Model } from './model.ts';
import { hasCustody } from './simulate.ts';

const ENTRIES = 800;
const SNAPSHOT_SEQ = 400;
const FOLDER = new URL('../test/logs/', import.meta.url);
const USAGE =
  'say a name and --seed N; every third seed has custody, and --custody yes or no decides it otherwise';

export interface Recording {
  /** One line per entry: its time, kind and body. */
  readonly log: readonly string[];
  readonly snapshot: readonly string[];
  readonly digestOfSnapshot: string;
  readonly digest: string;
}

/** Throws if the newest feature level is not in force at the snapshot: another seed raises it earlier. */
export function record(seed: number, custody = hasCustody(seed)): Recording {
  const model = new Model();
  const generator = new Generator(seed, model, custody);
  const state = createState();
  const log: string[] = [];
  const take = (until: number) => {
    while (log.length < until) {
      const entry = generator.next();
      log.push(logLine(entry));
      model.apply(entry);
      apply(state, entry, NO_EFFECTS);
    }
  };
  take(SNAPSHOT_SEQ);
  if (levelInForce(state) < FEATURE_LEVEL)
    throw new Error(`seed ${seed} has not reached feature level ${FEATURE_LEVEL} at its snapshot`);
  const [snapshot, digestOfSnapshot] = [[...stateLines(state)], stateDigest(state)];
  take(ENTRIES);
  return { log, snapshot, digestOfSnapshot, digest: stateDigest(state) };
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, custody: { type: 'string' } },
  });
  const [name] = positionals;
  const seed = Number(values.seed);
  if (name === undefined || !Number.isSafeInteger(seed)) throw new Error(USAGE);
  const custody = values.custody === undefined ? undefined : values.custody === 'yes';
  const { log, snapshot, digestOfSnapshot, digest } = record(seed, custody);
  write(`${name}.txt.gz`, log);
  write(`${name}.snapshot.txt.gz`, snapshot);
  console.log(JSON.stringify({ log: name, digestOfSnapshot, digest }, null, 2));
}

function write(file: string, lines: readonly string[]): void {
  writeFileSync(new URL(file, FOLDER), gzipSync(lines.join('\n')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
