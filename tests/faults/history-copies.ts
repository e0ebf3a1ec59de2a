/**
 * The orders' history when the files beside it are not what they were: an exchange that was killed in the
 * middle of a write to its log, whose history is deleted, and whose history is an older copy.
 *
 *   node tests/faults/history-copies.ts
 */

import {
  appendFileSync,
  copyFileSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, say } from './figures.ts';
import type { Judged } from './judge.ts';
import { runScript } from './options.ts';
import { wrongShown } from './shown.ts';
import { underLoad } from './under-load.ts';

export interface HistoryCopies {
  readonly faults: readonly string[];
  readonly acknowledged: number;
  /** Orders of all traders that were looked at after the last start. */
  readonly orders: number;
}

const TRADERS = 4;
const WRITES = 40;
const NAME = 'venue';
const HISTORY = `${NAME}-history.db`;
/** Parts of a WAL: its header, and the part of a frame before its page. */
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Runs all of it on one log in a temporary folder. */
export async function historyCopies(): Promise<HistoryCopies> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-history-'));
  const log = `sqlite:${join(folder.path, `${NAME}.db`)}`;
  const { faults, crowd, given, evidence } = await underLoad({ log, traders: TRADERS }, (load) =>
    mistreat(load, folder.path),
  );
  const orders = crowd.traders.flatMap(({ address }) => evidence.ordersOf(address)).length;
  return { faults: [...given, ...faults], acknowledged: crowd.acknowledgements, orders };
}

async function mistreat({ node, crowd, evidence }: Judged, folder: string): Promise<string[]> {
  const older = join(folder, 'older');
  const shown = { url: node.url, traders: crowd.traders, evidence };
  await crowd.untilServed(WRITES);
  await node.stop();
  copyFileSync(join(folder, HISTORY), older);
  await node.start();
  await crowd.untilServed(WRITES);
  // Leaves a snapshot that is newer than the copy.
  await node.stop();
  await node.start();
  await crowd.untilServed(WRITES);
  await node.kill();
  tear(join(folder, `${NAME}.db-wal`));
  await node.start();
  await crowd.untilServed(WRITES);
  await crowd.stop();
  const faults: string[] = [];
  const afterKill = async (what: string, change: () => void) => {
    await node.kill();
    removeHistory(folder);
    change();
    await node.start();
    faults.push(...(await wrongShown(shown)).map((fault) => `${what}: ${fault}`));
  };
  await afterKill('without a history', () => {});
  await afterKill('with an older history', () => copyFileSync(older, join(folder, HISTORY)));
  return faults;
}

/** Adds a frame of which only the beginning was written. */
function tear(path: string): void {
  const wal = readFileSync(path);
  const frame = wal.subarray(WAL_HEADER_BYTES, wal.length / 2);
  // Its salts are those of the frames before it; its checksum is another frame's.
  appendFileSync(path, frame.subarray(0, FRAME_HEADER_BYTES + 1_000));
}

function removeHistory(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(HISTORY)) rmSync(join(folder, name));
}

if (import.meta.main)
  await runScript({}, async () => {
    const { faults, acknowledged, orders } = await historyCopies();
    say(`${acknowledged} writes acknowledged, ${orders} orders looked at`);
    finish(faults);
  });
