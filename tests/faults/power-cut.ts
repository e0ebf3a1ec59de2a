/**
 * The log's disk is lost under load: an ext4 file system on a loop device is shut down without writing its journal, so
 * everything unflushed is lost. In a power cut the exchange dies with it; otherwise it must end by itself. In both
 * cases it must resume after the next mount.
 *
 *   node tests/faults/power-cut.ts --rounds 10
 */

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast } from '../../packages/exchange/sim/options.ts';
import { finish, say, share } from './figures.ts';
import type { Judged } from './judge.ts';
import { firstLine, isInstalled, type Mounted, mount, run, untilUnmounted } from './machine.ts';
import type { NodeProcess } from './node-process.ts';
import { runScript } from './options.ts';
import { underLoad } from './under-load.ts';

const TRADERS = 4;
const DISK_SIZE = '192M';
const SERVES_MS_MAX = 2_000;
/** EXT4_IOC_SHUTDOWN, without flushing the journal. */
const SHUTDOWN = 'open D, "<", shift or die $!; my $how = pack("L", 2); ioctl(D, 0x8004587d, $how) or die $!';

/** The cut: the exchange dies with its disk, or survives to see it fail. */
export type Cut = 'power' | 'disk';

export interface DiskCuts {
  readonly faults: readonly string[];
  readonly acknowledged: number;
  /** Acknowledgements after the disk had begun to fail. A machine without power sends none. */
  readonly late: number;
  /** The exchange's output when only its disk was lost. */
  readonly lines: readonly string[];
  /** From each cut to the next acknowledgement, including the mount, ascending. */
  readonly outagesMs: readonly number[];
}

/** Why the power cannot be cut here, in one line, or undefined. Tries it once. */
export function whyNoPowerCut(): string | undefined {
  for (const program of ['mkfs.ext4', 'losetup', 'perl'])
    if (!isInstalled(program)) return `${program} is not installed`;
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-power-'));
  try {
    tryCut(folder.path);
    return undefined;
  } catch (error) {
    return `no file system can be shut down here (${firstLine((error as { stderr?: string }).stderr || String(error))})`;
  }
}

function tryCut(folder: string): void {
  const disk = new Disk(folder, '8M');
  try {
    disk.cut();
  } finally {
    disk.unmount();
  }
}

/** Takes the disk away this many times under load, and restarts after each. */
export async function diskCuts(kind: Cut, rounds: number): Promise<DiskCuts> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-power-'));
  const disk = new Disk(folder.path, DISK_SIZE);
  const log = `sqlite:${join(disk.place, 'venue.db')}`;
  try {
    const { faults, crowd, given } = await underLoad({ log, traders: TRADERS }, (load) =>
      cutAgainAndAgain(load, { disk, kind, rounds }),
    );
    return {
      ...given,
      faults: [...given.faults, ...faults],
      acknowledged: crowd.acknowledgements,
      outagesMs: given.outagesMs.toSorted((a, b) => a - b),
    };
  } finally {
    await untilUnmounted(disk);
  }
}

interface Cuts {
  readonly disk: Disk;
  readonly kind: Cut;
  readonly rounds: number;
}

async function cutAgainAndAgain(
  { node, crowd }: Judged,
  { disk, kind, rounds }: Cuts,
): Promise<Omit<DiskCuts, 'acknowledged'>> {
  const [faults, lines, outagesMs]: [string[], string[], number[]] = [[], [], []];
  let late = 0;
  for (let round = 0; round < rounds; round += 1) {
    await sleep(Math.random() * SERVES_MS_MAX);
    await crowd.untilServed(20);
    const cutMs = performance.now();
    if (kind === 'power') await cutPower(node, disk);
    else {
      disk.cut();
      const code = await node.ends();
      if (code !== 1) faults.push(`ended with ${code} when its disk was gone`);
      lines.push(node.lastWords);
      // As its disk fails, ext4 may report success for a flush that failed; nobody can tell. What the process answered
      // then may still be on its way.
      await crowd.untilRefused();
      late += crowd.forgetSince(cutMs);
    }
    disk.replug();
    node.launch();
    await node.untilListening();
    await crowd.untilServed(1);
    outagesMs.push(crowd.outage(cutMs, performance.now()).venueMs);
  }
  return { faults, late, lines, outagesMs };
}

/** Stops the process, with no flush in progress, before its disk is lost, and never resumes it. */
async function cutPower(node: NodeProcess, disk: Disk): Promise<void> {
  await node.standStill();
  disk.cut();
  await node.kill();
}

/** A file system in a file, always at the same path. */
class Disk {
  readonly place: string;
  readonly #image: string;
  #mounted: Mounted;

  constructor(folder: string, size: string) {
    this.#image = join(folder, 'disk.img');
    this.place = join(folder, 'disk');
    run('truncate', '-s', size, this.#image);
    run('mkfs.ext4', '-q', this.#image);
    this.#mounted = this.#plug();
  }

  /** Anything not on it by now is lost. */
  cut(): void {
    run('perl', '-e', SHUTDOWN, this.#mounted.folder);
  }

  replug(): void {
    this.#mounted.unmount();
    this.#mounted = this.#plug();
  }

  unmount(): void {
    this.#mounted.unmount();
  }

  #plug(): Mounted {
    const mounted = mount('-o', 'loop', this.#image);
    run('ln', '-sfn', mounted.folder, this.place);
    return mounted;
  }
}

if (import.meta.main)
  await runScript({ rounds: '10' }, async (values) => {
    const rounds = atLeast(1, 'rounds', values.rounds);
    const why = whyNoPowerCut();
    if (why !== undefined) {
      say(`not run: ${why}`);
      return;
    }
    const faults: string[] = [];
    for (const kind of ['power', 'disk'] as const) {
      const result = await diskCuts(kind, rounds);
      const { acknowledged, late, lines, outagesMs } = result;
      for (const line of new Set(lines)) say(`the exchange ended with: ${line}`);
      say(
        `${outagesMs.length} cuts of the ${kind}; ${acknowledged} writes acknowledged, ${late} while it went`,
      );
      say(`time without service: median ${share(outagesMs, 0.5)} ms, longest ${share(outagesMs, 1)} ms`);
      faults.push(...result.faults);
    }
    finish(faults);
  });
