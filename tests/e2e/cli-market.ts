/** A small market for the command: all files of a process use it, each with a home and accounts of its own. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { runInProcess } from '../../packages/cli/test/in-process.ts';
import { type Ended, run } from './cli-command.ts';
import { Launched, QUOTES_STAND, SMALL_MARKET } from './launched.ts';

/** The market that the files of this process share, and how many of these have not ended yet. */
const shared: { filesLeft: number; market?: Promise<Running> } = {
  filesLeft: Number(process.env.VENUE_TEST_FILES ?? 1),
};

interface Running {
  readonly launched: Launched;
  readonly url: string;
  readonly data: string;
}

export interface CliMarket {
  readonly url: string;
  /** The folder of the calling file, removed after it. */
  readonly folder: string;
  /** `VENUE_HOME` of the calling file. */
  readonly home: string;
  /** An expiry of BTC that is at least a day away. */
  readonly expiryTs: string;
}

/** Starts the market with the first file that asks, and ends it with the last. */
export function cliMarket(): CliMarket {
  const folder = mkdtempSync(join(tmpdir(), 'venue-cli-'));
  let running: Running | undefined;
  before(async () => {
    shared.market ??= startMarket();
    running = await shared.market;
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    shared.filesLeft -= 1;
    const started = shared.filesLeft === 0 ? await shared.market?.catch(() => undefined) : undefined;
    started?.launched.end();
    if (started !== undefined) rmSync(started.data, { recursive: true, force: true });
  });
  return {
    folder,
    home: join(folder, 'home'),
    get url() {
      return running!.url;
    },
    get expiryTs() {
      return /expiryTs=(\d+)/.exec(running!.launched.output)![1]!;
    },
  };
}

async function startMarket(): Promise<Running> {
  const data = mkdtempSync(join(tmpdir(), 'venue-cli-market-'));
  const env = { VENUE_PORT: '0', VENUE_LOG: `sqlite:${join(data, 'venue.db')}`, ...SMALL_MARKET };
  const launched = new Launched(['up'], { env });
  const [, url] = await launched.says(/exchange listening on (\S+)/);
  await launched.says(QUOTES_STAND);
  return { launched, url: url!, data };
}

/** Runs a command in this process, or in one of its own where it reads from standard input. */
export function command(
  words: readonly string[],
  { env, input }: { readonly env: Record<string, string>; readonly input?: string | undefined },
): Promise<Ended> {
  return input === undefined ? runInProcess(words, env) : run(words, { env, input });
}
