/** Programs and mounts on the machine, and why they may be unavailable. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../e2e/launched.ts';

/** Runs a program to its end; throws with its standard error. */
export function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}

/** A folder with a file system mounted on it. */
export interface Mounted {
  readonly folder: string;
  unmount(): void;
}

/** Mounts on a new folder, with these arguments of `mount`. Throws where the machine does not allow it. */
export function mount(...args: readonly string[]): Mounted {
  const folder = mkdtempSync(join(tmpdir(), 'venue-mount-'));
  try {
    run('mount', ...args, folder);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  const unmount = () => {
    run('umount', folder);
    rmSync(folder, { recursive: true });
  };
  return { folder, unmount };
}

/** Why nothing can be mounted here, in one line, or undefined. */
export function whyNoMount(
  args: readonly string[] = ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs'],
): string | undefined {
  if (userInfo().uid !== 0) return 'only root may mount';
  try {
    mount(...args).unmount();
    return undefined;
  } catch (error) {
    return `mount is not allowed (${firstLine((error as { stderr?: string }).stderr ?? String(error))})`;
  }
}

export function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

/** Waits for the processes that keep a file system busy. */
export async function untilUnmounted(mounted: Pick<Mounted, 'unmount'>): Promise<void> {
  await eventually('the disk is free', () => {
    try {
      mounted.unmount();
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * For the `skip` of a test: false where the fault can be caused. Throws instead of skipping where VENUE_TEST_REQUIRE is
 * `all`, unless it is `optional`, meaning that no package can provide it.
 */
export function skipBecause(why: string | undefined, { optional = false } = {}): string | false {
  if (why === undefined) return false;
  if (process.env.VENUE_TEST_REQUIRE === 'all' && !optional)
    throw new Error(`${why}, and VENUE_TEST_REQUIRE forbids to skip`);
  return why;
}
