/** The stage of a file's tests: a browser, which all files of a process share, and a venue, which they may share. */

import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { callWitness, noteUnreaped, processesBelow } from '../../scripts/evidence.ts';
import { type LocalTerminal, startBrowser, startTerminal } from './browser.ts';
import { witnessOf } from './page-witness.ts';

interface Venue {
  readonly url: string;
  end(): void | Promise<void>;
}

/** The set-up of a file, available from its first test on. */
export interface Stage<V extends Venue> {
  readonly browser: Browser;
  /** A test may replace its own with another venue, which is then the one that is ended. */
  venue: V;
}

type Start<V extends Venue> = () => Promise<V>;

/** A file's preparation of its venue before the first test; anything it starts is registered with `ends`. */
type Prepare<V extends Venue> = (venue: V, ends: AsyncDisposableStack) => Promise<void>;

/** The files of this process that have not ended yet, and what the last of them ends. */
const shared = {
  filesLeft: Number(process.env.VENUE_TEST_FILES ?? 1),
  ends: new AsyncDisposableStack(),
  browser: undefined as Promise<Browser> | undefined,
  venues: new Map<Start<Venue>, Promise<Venue>>(),
};

/**
 * A browser, and a venue for the tests of the calling file: started before them, ended after them, whatever fails in
 * between. A file has one stage.
 *
 * @example const stage = stageOf(() => startTerminal('exchange'));
 */
export function stageOf<V extends Venue>(start: Start<V>, prepare?: Prepare<V>): Stage<V> {
  return set(async (stage, ends) => {
    stage.venue = await start();
    ends.defer(() => stage.venue.end());
    await prepare?.(stage.venue, ends);
  });
}

/**
 * A browser and a market for tests that change nothing but accounts of their own. Files that name the same process
 * (`// @process NAME`) and the same start all play on one: the first starts it, the last ends it.
 */
export function sharedStage(): Readonly<Stage<LocalTerminal>>;
export function sharedStage<V extends Venue>(start: Start<V>): Readonly<Stage<V>>;
export function sharedStage(start: Start<Venue> = startTerminal): Readonly<Stage<Venue>> {
  return set(async (stage) => {
    const started = shared.venues.get(start) ?? startShared(start);
    shared.venues.set(start, started);
    // The next file tries again what a machine was too busy to start.
    started.catch(() => shared.venues.delete(start));
    stage.venue = await started;
  });
}

async function startShared(start: Start<Venue>): Promise<Venue> {
  return shared.ends.adopt(await start(), (venue) => venue.end());
}

function set<V extends Venue>(
  setVenue: (stage: Stage<V>, ends: AsyncDisposableStack) => Promise<void>,
): Stage<V> {
  const ends = new AsyncDisposableStack();
  const stage = {} as { browser: Browser; venue: V };
  before(async () => {
    shared.browser ??= openBrowser();
    stage.browser = await shared.browser;
    await setVenue(stage, ends);
  });
  after(async () => {
    // A test that failed leaves its pages open, which would go on beside the next file's.
    for (const context of stage.browser?.contexts() ?? []) await context.close();
    await ends.disposeAsync();
    shared.filesLeft -= 1;
    if (shared.filesLeft === 0) await shared.ends.disposeAsync();
  });
  return stage;
}

async function openBrowser(): Promise<Browser> {
  const browser = await startBrowser();
  const dismiss = callWitness(witnessOf(browser));
  shared.ends.defer(async () => {
    dismiss();
    noteUnreaped(leftUnreaped());
    await browser.close();
  });
  return browser;
}

/** Chromium ends those of its processes without waiting for them. */
function leftUnreaped(): number[] {
  return processesBelow(process.pid)
    .filter(({ command }) => /headless.* --type=(?:zygote|utility|renderer)/.test(command))
    .map(({ pid }) => pid);
}
