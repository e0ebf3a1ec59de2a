/** The terminal as an app: opened without a network, in another release, and where the operator has switched that off. */

// @seconds 22

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { randomPrivateKey } from '@venue/sdk';
import { buildTerminal } from '@venue/web/build';
import type { Page } from 'playwright-core';
import { eventually, freePort } from '../e2e/launched.ts';
import { assertNoFaults, chromiumMissing, openPage, signInWithKey, startTerminal } from './browser.ts';
import { stageOf } from './stage.ts';

/** Logged by the browser about requests while nothing answers them, and about a worker that is not there. */
const EXPECTED = /ERR_|WebSocket connection|Failed to fetch|bad HTTP response code \(404\)/;
const WITH_WORKER = { serviceWorkers: 'allow' } as const;

describe('the installed terminal', { skip: chromiumMissing() ?? false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-install-'));
  let env: Record<string, string>;
  const stage = stageOf(async () => {
    // The same address, log and accounts after a restart.
    env = { VENUE_PORT: `${await freePort()}`, VENUE_LOG: `sqlite:${folder}/venue.db` };
    return startTerminal('exchange', env);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const restart = async (changed: Record<string, string>) => {
    stage.venue.end();
    // The next one needs the log of this one.
    await stage.venue.launched.exits();
    stage.venue = await startTerminal('exchange', { ...env, ...changed });
  };

  it('opens without a network with all its parts, says so, and keeps no answer of the venue (INST-2)', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, WITH_WORKER);
    await linkIs(page, 'live');
    await signInWithKey(page, randomPrivateKey());
    await page.evaluate(WORKER_READY);
    const kept = await page.evaluate<string[]>(KEPT_PATHS);
    assert.ok(kept.includes('/'));
    assert.deepEqual(
      kept.filter((path) => path !== '/' && !/^\/assets\/[\w.-]+-[\w-]{8}\.\w+$/.test(path)),
      [],
    );

    const fromWorker = new Set<string>();
    page.on('response', (answer) => {
      if (answer.fromServiceWorker()) fromWorker.add(new URL(answer.url()).pathname.replace(/[^/]+$/, ''));
    });
    await page.goto(`${stage.venue.url}/assets/admin.html`);
    const admin = await page.reload();
    assert.equal(admin!.fromServiceWorker(), false);

    await page.goto(stage.venue.url);
    await linkIs(page, 'live');
    await page.context().setOffline(true);
    await page.reload();
    await linkIs(page, 'offline');
    await page.getByText(/It was last reached .* ago\. No prices are kept/).waitFor();
    await page.getByText('The venue does not answer: it shows your positions once it does.').waitFor();
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.getByRole('button', { name: 'Shortcuts and about' }).click();
    await page.getByRole('heading', { name: 'In the chain' }).waitFor();
    assert.deepEqual([...fromWorker].sort(), ['/', '/assets/']);

    await page.context().setOffline(false);
    await linkIs(page, 'live');
    await page.locator('.Header_sums').getByText('Buying power').waitFor();
    assertNoFaults(faults.filter((fault) => !EXPECTED.test(fault)));
    await page.context().close();
  });

  it('has a browser without room as it was, without a worker (INST-2)', async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank', WITH_WORKER);
    const devtools = await page.context().newCDPSession(page);
    const { origin } = new URL(stage.venue.url);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 50_000 });
    await page.goto(stage.venue.url);
    await linkIs(page, 'live');
    await eventually('a worker that was given up', () => page.evaluate<boolean>(IS_GIVEN_UP));
    assert.deepEqual(await page.evaluate('caches.keys()'), []);
    assertNoFaults(faults.filter((fault) => !EXPECTED.test(fault)));
    await page.context().close();
  });

  it('says that a new version is ready, leaves the reload to the person, and is forgotten where it is switched off (INST-2)', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, WITH_WORKER);
    await linkIs(page, 'live');
    await page.evaluate(WORKER_READY);
    await page.reload();
    await linkIs(page, 'live');
    const entry = await entryOf(page);

    const other = otherRelease((await buildTerminal()).folder, join(folder, 'other'));
    await restart({ VENUE_TERMINAL: other });
    const help = page.getByRole('button', { name: 'Shortcuts and about. A new version is ready' });
    await help.waitFor();
    // The page is the old one still, and finds its parts, of which the venue has none.
    assert.equal(await entryOf(page), entry);
    const panels = readdirSync(join(other, 'assets')).find((name) => /^panels-.*\.js$/.test(name))!;
    assert.ok(panels.startsWith('panels-other'));
    await help.click();
    const text = page.locator('.HelpText_otherRelease', { hasText: 'A new version is ready' });
    await text.getByRole('button', { name: 'Reload' }).click();
    await linkIs(page, 'live');
    await page.getByRole('button', { name: 'Shortcuts and about', exact: true }).waitFor();
    assert.notEqual(await entryOf(page), entry);

    await restart({ VENUE_TERMINAL_OFFLINE: 'off' });
    await page.reload();
    await linkIs(page, 'live');
    assert.equal(await entryOf(page), entry);
    // A worker leaves with the last page that it has answered.
    await page.reload();
    await eventually('a browser that has forgotten', () => page.evaluate<boolean>(HAS_FORGOTTEN));
    assertNoFaults(faults.filter((fault) => !EXPECTED.test(fault)));
    await page.context().close();
  });
});

const WORKER_READY = 'navigator.serviceWorker.ready.then(() => true)';
const KEPT_PATHS = `(async () => {
  const paths = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
  return paths;
})()`;
const HAS_FORGOTTEN = `(async () =>
  (await navigator.serviceWorker.getRegistrations()).length === 0 && (await caches.keys()).length === 0)()`;
/** Tries again, as the page's own try may be over. */
const IS_GIVEN_UP = `(async () => {
  const { installing } = await navigator.serviceWorker.register('/assets/service-worker.js', { scope: '/' });
  if (installing === null) return false;
  await new Promise((resolve) => {
    installing.onstatechange = () => resolve();
  });
  return installing.state === 'redundant';
})()`;

function linkIs(page: Page, state: string): Promise<void> {
  return page.locator(`[data-testid="link"][data-state="${state}"]`).waitFor();
}

function entryOf(page: Page): Promise<string> {
  return page.evaluate<string>("document.querySelector('script[type=module]').src");
}

/** A copy of the built pages whose first script and panels have other names, as in a release that changed them. */
function otherRelease(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  const assets = join(to, 'assets');
  const names = readdirSync(assets).filter((name) => /^(?:index|panels)-.*\.js$/.test(name));
  const renamed = new Map(names.map((name) => [name, name.replace(/-.*/, '-other123.js')]));
  const texts = [join(to, 'index.html'), ...readdirSync(assets).map((name) => join(assets, name))];
  for (const file of texts.filter((path) => /\.(?:html|js)$/.test(path))) {
    let text = readFileSync(file, 'utf8');
    for (const [name, other] of renamed) text = text.replaceAll(name, other);
    writeFileSync(file, text);
  }
  for (const [name, other] of renamed) renameSync(join(assets, name), join(assets, other));
  return to;
}
