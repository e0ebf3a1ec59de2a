/** The layout, from a phone to a wide monitor, and that nothing in it jumps. */

// @process terminal-layouts
// @seconds 17

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertCoversNothing,
  assertNoFaults,
  chainStands,
  chromiumMissing,
  comesToHold,
  keepNotices,
  openPage,
  sendOrder,
  signInOnPaper,
  type WatchedPage,
} from './browser.ts';
import { sharedStage } from './stage.ts';

const missing = chromiumMissing();

describe('the layout of the terminal', { skip: missing ?? false }, () => {
  const stage = sharedStage();
  /** For all tests but that of a phone, which go from size to size: the last two sign in. */
  let desk: WatchedPage;
  before(async () => {
    desk = await openPage(stage.browser, stage.venue.url, { colorScheme: 'dark' });
    await chainStands(desk.page);
  });

  it('has the columns that fit, and never scrolls sideways', async () => {
    const { page, faults } = desk;
    const wanted: readonly (readonly [number, readonly string[]])[] = [
      // Of two expiries side by side.
      [2560, ['Call implied volatility', 'Call delta', 'Call mark', 'Call bid', 'Put bid']],
      [
        2540,
        ['Call open interest', 'Call implied volatility', 'Call delta', 'Call mark', 'Call bid', 'Put bid'],
      ],
      [1920, ['Call implied volatility', 'Call delta', 'Call mark', 'Call bid', 'Put bid']],
      [1440, ['Call implied volatility', 'Call delta', 'Call bid', 'Put bid']],
      [1366, ['Call implied volatility', 'Call delta', 'Call bid', 'Put bid']],
      [1280, ['Call implied volatility', 'Call delta', 'Call mark', 'Call bid', 'Put bid']],
      [1024, ['Call implied volatility', 'Call delta', 'Call bid', 'Put bid']],
      [390, ['Call delta', 'Call mark', 'Call bid']],
      [320, ['Call mark', 'Call bid']],
    ];
    const asked = [...new Set(wanted.flatMap(([, names]) => names))];
    for (const [width, names] of wanted) {
      await page.setViewportSize({ width, height: 900 });
      await comesToHold(`${width} px wide`, async () => {
        assert.equal(await overflowPx(page), 0);
        const shown: string[] = [];
        for (const name of asked)
          if (await page.getByRole('columnheader', { name, exact: true }).first().isVisible())
            shown.push(name);
        assert.deepEqual(
          shown,
          asked.filter((name) => names.includes(name)),
        );
        assert.deepEqual(await cutOffPrices(page), []);
      });
    }
    assertNoFaults(faults);
  });

  it('has a second expiry beside the first where there is room, which fills the ticket too (TERM-10)', async () => {
    const { page, faults } = desk;
    await page.setViewportSize({ width: 2_560, height: 1_440 });
    const second = page.getByRole('region', { name: 'Second expiry' });
    const choice = second.getByLabel('Beside it');
    const tabs = page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab');
    const first = page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab', { selected: true });
    assert.ok(
      !(await first.textContent())!.startsWith((await choice.locator('option:checked').textContent())!),
    );
    const last = (await choice.locator('option').allTextContents()).at(-1)!;
    await choice.selectOption({ label: last });
    const ask = second.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ });
    await ask.click();
    await page.locator('.ticket h2', { hasText: last }).waitFor();
    const asked = Number((await ask.textContent())!.replaceAll(',', ''));
    const limit = Number((await page.getByLabel('Limit price').inputValue()).replaceAll(',', ''));
    // Both move, but not by a fifth.
    assert.ok(Math.abs(limit / asked - 1) < 0.2, `${limit} for ${asked}`);
    // The chosen expiry is never shown twice.
    await tabs.last().click();
    await comesToHold('another second expiry', async () =>
      assert.notEqual(await choice.locator('option:checked').textContent(), last),
    );
    await second.locator('tr[data-at-the-money] td.put.bid', { hasText: /\d/ }).waitFor();
    await page.setViewportSize({ width: 2_540, height: 1_440 });
    await second.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    assertNoFaults(faults);
  });

  it('keeps bid left of ask, own position beside the strike, and all rows equally high', async () => {
    const { page, faults } = desk;
    await page.setViewportSize({ width: 1_920, height: 1_080 });
    const row: string[] = await page.evaluate(`
      [...document.querySelectorAll('tr[data-at-the-money] > *')].map((cell) => cell.className)`);
    const strike = row.indexOf('strike');
    assert.deepEqual([row[strike - 1], row[strike + 1]], ['own', 'own']);
    assert.ok(row.indexOf('call bid') < row.indexOf('call ask'));
    assert.ok(row.indexOf('put bid') < row.indexOf('put ask'));
    const heights = await rowHeights(page);
    assert.equal(heights.length, 1, `heights ${heights}`);
    assert.equal(await page.locator('tr[data-money-line]').count(), 1);
    assertNoFaults(faults);
  });

  it('marks what moved by a line alone, over what rose and under what fell', async () => {
    const { page, faults } = desk;
    const looks: string[][] = await page.evaluate(`(() => {
      const cell = document.querySelector('tr[data-moneyness="call-in"] td.call.bid');
      delete cell.dataset.flash;
      const plain = [getComputedStyle(cell).backgroundColor, getComputedStyle(cell).color];
      return [plain, ...['up', 'down'].map((way) => {
        cell.dataset.flash = way;
        const { backgroundColor, color, boxShadow } = getComputedStyle(cell);
        return [backgroundColor, color, boxShadow];
      })];
    })()`);
    const [plain, up, down] = looks;
    assert.deepEqual([up!.slice(0, 2), down!.slice(0, 2)], [plain, plain]);
    assert.match(up![2]!, / 0px 1px 0px 0px inset$/);
    assert.match(down![2]!, / 0px -1px 0px 0px inset$/);
    assertNoFaults(faults);
  });

  it('says where the market is: the spot, its day and its volatility; all symbols by a key; words by a press', async () => {
    const { page, faults } = desk;
    await page.setViewportSize({ width: 1_440, height: 900 });
    const head = page.getByRole('region', { name: 'Underlying' });
    await comesToHold('the figures', async () =>
      assert.match((await head.textContent())!, /^BTC[\d,]+\.\d\d(Since \d\d:\d\d|24 hours)[+−]?\d+\.\d\d%/),
    );
    await head.getByRole('button', { name: '30-day vol' }).click();
    await page.getByText(/^The movement that options expect over the next 30 days/).waitFor();
    await page.keyboard.press('Escape');
    const ofBtc = await page.locator('tr[data-at-the-money] .strike').textContent();
    await page.keyboard.press('/');
    const all = page.getByRole('dialog', { name: 'Symbols' });
    await all.getByLabel('Symbol or contract').fill('nothing');
    await all.getByText('Nothing of that name is listed here.').waitFor();
    await all.getByLabel('Symbol or contract').fill('eth');
    await page.keyboard.press('Enter');
    await head.getByRole('heading', { name: 'ETH' }).waitFor();
    await all.waitFor({ state: 'hidden' });
    await chainStands(page);
    const strike = await page.locator('tr[data-at-the-money] .strike').textContent();
    await page.keyboard.press('/');
    await all.getByLabel('Symbol or contract').fill(`${strike} put`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: new RegExp(`^ETH .* ${strike} put$`) }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await all.getByLabel('Symbol or contract').fill(`${ofBtc} call`);
    await all
      .getByRole('button', { name: /^BTC .* call$/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: new RegExp(`^BTC .* ${ofBtc} call$`) }).waitFor();
    await page.keyboard.press('Escape');
    assertNoFaults(faults);
  });

  it('says paper wherever an amount could be taken for real money', async () => {
    const { page, faults } = desk;
    await page.getByText('PAPER', { exact: true }).waitFor();
    // FEED-1: its prices come from no market.
    await page.getByText('SIMULATED PRICES', { exact: true }).waitFor();
    await comesToHold('the title', async () => assert.match(await page.title(), /PAPER/));
    assertNoFaults(faults);
  });

  it('keeps the chosen colours', async () => {
    const { page, faults } = desk;
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const groundIs = (colour: string) =>
      comesToHold('the ground', async () => assert.equal(await ground(), colour));
    await groundIs('rgb(14, 17, 22)');
    await page.getByRole('button', { name: /^Colours: Auto/ }).click();
    await page.getByRole('button', { name: /^Colours: Dark/ }).click();
    await groundIs('rgb(255, 255, 255)');
    await page.reload();
    await chainStands(page);
    assert.equal(await ground(), 'rgb(255, 255, 255)');
    await page.getByRole('button', { name: /^Colours: Light/ }).click();
    await groundIs('rgb(14, 17, 22)');
    assertNoFaults(faults);
  });

  it('has charts and a book that are resized and folded away by hand and by keys, and stay so', async () => {
    const { page, faults } = desk;
    const width = () => sizeOf(page, '.market-part', 'width');
    const height = () => sizeOf(page, '.dock', 'height');
    const edge = page.getByRole('separator', { name: 'Width of the charts' });
    const asLaidOut = await width();
    await edge.press('ArrowRight');
    await comesToHold('24 px more', async () => assert.equal(await width(), asLaidOut + 24));
    const box = (await edge.boundingBox())!;
    await page.mouse.move(box.x + 3, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(2_000, box.y + 100, { steps: 3 });
    await page.mouse.up();
    // However far it is pulled, the chain keeps room for both of its sides.
    let widest = 0;
    await comesToHold('the widest charts', async () => {
      const before = widest;
      widest = await width();
      assert.ok(widest > asLaidOut + 24 && widest === before, `${before}, then ${widest}`);
      assert.ok(await page.locator('.Chain_sides').isVisible());
    });
    await edge.press('ArrowLeft');
    const chosen = widest - 24;
    await comesToHold('24 px less', async () => assert.equal(await width(), chosen));
    await page.getByRole('button', { name: 'Fold away the account' }).click();
    await comesToHold('a folded book', async () => assert.ok((await height()) < 60));
    await page.reload();
    await chainStands(page);
    await comesToHold('the room of before', async () => {
      assert.equal(await width(), chosen);
      assert.ok((await height()) < 60);
    });
    // A tab of the folded book opens it.
    await page.getByRole('tab', { name: 'Orders' }).click();
    await comesToHold('an open book', async () => assert.ok((await height()) > 100));
    await edge.press('Enter');
    await page.getByRole('button', { name: 'Show charts' }).click();
    await edge.waitFor();
    assertNoFaults(faults);
  });

  it('shows mode, link, equity and session at every width, and names the sides where there are two', async () => {
    const { page, faults } = desk;
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signInOnPaper(page);
    await page.locator('.Header_sums').getByText('Buying power').waitFor();
    for (const width of [320, 360, 390, 768, 1_024, 1_200, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      await comesToHold(`${width} px wide`, async () => {
        assert.deepEqual(
          await overlapping(page, '.header > :not(.Header_brand), .PhoneMarket_phoneMarket > *'),
          [],
        );
        const hidden = await outOfSight(
          page,
          '.Header_mode, .LinkSign_link, .Header_sums dd, .session-button, .Tools_tools button',
        );
        assert.deepEqual(hidden, []);
        const isWide = await page.getByText('Buying power', { exact: true }).first().isVisible();
        assert.equal(isWide, width >= 1_024);
        assert.equal(await page.locator('.Chain_sides').isVisible(), width >= 768);
        // On a phone the first line holds mode, link, session and tools, and none of them goes to a line of its own.
        const tops = ['.header .Tools_tools', '.header .session-button'].map((one) => topOf(page, one));
        const [tools, session] = await Promise.all(tops);
        assert.ok(Math.abs(tools! - session!) < 12, `tools at ${tools}, session at ${session}`);
      });
    }
    assertNoFaults(faults);
  });

  it('has the sentences of the session and of the help inside their sheets', async () => {
    const { page, faults } = desk;
    for (const width of [1_440, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.locator('.session-button').click();
      await page.getByText('It cannot approve another key').waitFor();
      assert.deepEqual(await runOver(page, '.session-menu dd'), [], `the session at ${width} px`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Shortcuts and about' }).click();
      await page.getByText('Read the row aloud, for screen readers').waitFor();
      assert.deepEqual(await runOver(page, '.Help_help dd'), [], `the help at ${width} px`);
      await page.keyboard.press('Escape');
    }
    assertNoFaults(faults);
  });

  it('shows the locked amount in full, resting apart from held quantities, and notices over no button', async () => {
    const { page, faults } = desk;
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.locator('tr[data-at-the-money] td.call.bid', { hasText: /\d/ }).click();
    await page.getByText('Buy', { exact: true }).click();
    await page.getByRole('radio', { name: 'Market' }).check();
    await page.getByLabel('Quantity').fill('0.1');
    await sendOrder(page, /^PAPER Buy 0\.1 /, page.getByRole('tab', { name: 'Positions 1' }));
    await page.getByRole('region', { name: 'Traded last' }).getByText('+0.1 long').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Take the tour' }).count(), 0);
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await page.getByLabel('Quantity').fill('1');
    await page.getByLabel('Limit price').fill('5');
    // At twice the size, and on a phone on its side, nobody sends what is out of sight (TERM-11).
    for (const [width, height] of [
      [683, 384],
      [844, 390],
      [1_366, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      await comesToHold(`an order whole at ${width} x ${height}`, async () => {
        assert.deepEqual(await cutParts(page, '.ticket', ORDER_PARTS), []);
        assert.match((await page.locator('.order-outcome').textContent())!, /ax loss \$5\.\d\d · max profit/);
      });
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    await keepNotices(page);
    await page.getByRole('button', { name: /^PAPER Buy 1 / }).click();
    const notice = page.locator('.Notices_notice', { hasText: 'resting' });
    await notice.waitFor();
    await comesToHold('a notice over nothing', () => assertCoversNothing(page, notice));
    const own = page.locator('td.own', { hasText: '◦1' });
    assert.equal(await own.getByTitle('Resting: buy 1').textContent(), '◦1');
    await page.getByRole('tab', { name: 'Account' }).click();
    await page.getByRole('table', { name: 'What locks cash' }).waitFor();
    await page.getByRole('table', { name: 'Positions by underlying' }).waitFor();
    await comesToHold('whole tables', async () =>
      assert.deepEqual(await outOfSight(page, '.AccountPanel_account .rows :is(th, td)', '.dock .panel'), []),
    );
    await page.setViewportSize({ width: 390, height: 844 });
    const parts = page.getByRole('navigation', { name: 'Parts of the page' });
    await parts.getByRole('button', { name: /^Orders/ }).click();
    await comesToHold('the tabs of a phone', async () =>
      assert.deepEqual(await page.locator('.dock [role="tab"]').allInnerTexts(), [
        'Orders 1',
        'Closed',
        'Fills',
        'Log',
      ]),
    );
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.getByRole('tabpanel', { name: 'Log' }).waitFor();
    assert.equal(await parts.getByRole('button', { name: /^Orders/ }).getAttribute('aria-current'), 'true');
    await parts.getByRole('button', { name: 'Charts' }).click();
    await page.getByRole('tablist', { name: 'Your account' }).waitFor({ state: 'hidden' });
    assertNoFaults(faults);
  });

  it('on a phone: one side as a list, touchable rows, five tabs, and a ticket with its button visible', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await chainStands(page);
    assert.ok((await rowHeights(page))[0]! >= 44);
    const tabs = page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('button');
    assert.equal(await tabs.count(), 5);
    for (const box of await Promise.all((await tabs.all()).map((tab) => tab.boundingBox())))
      assert.ok(box!.height >= 56);
    const underlying = page.getByRole('region', { name: 'Underlying' });
    const spotPx = await page.evaluate(`getComputedStyle(document.querySelector('.market-spot')).fontSize`);
    assert.equal(spotPx, '28px');
    await underlying.getByRole('button', { name: /^BTC/ }).tap();
    await page.getByRole('dialog', { name: 'Symbols' }).getByRole('button', { name: /^BTC/ }).tap();
    await page.getByRole('button', { name: 'Puts' }).tap();
    await page.locator('tr[data-at-the-money] td.put.ask', { hasText: /\d/ }).tap();
    const send = page.getByRole('button', { name: /^PAPER Buy/ });
    await send.waitFor();
    await comesToHold('the button over the tabs', async () => {
      const box = (await send.boundingBox())!;
      assert.ok(box.y >= 0 && box.y + box.height <= 844 - 56, `the button at ${box.y}`);
    });
    const sizes: number[] = await page.evaluate(`
      [...document.querySelectorAll('.ticket input:not([type=radio])')].map((one) => parseFloat(getComputedStyle(one).fontSize))`);
    assert.ok(
      sizes.length >= 2 && sizes.every((size) => size >= 16),
      `inputs of ${sizes} px make a phone zoom`,
    );
    await page.getByRole('button', { name: 'Close the ticket' }).tap();
    await page.getByRole('button', { name: /^Orders/ }).tap();
    await page.getByRole('tabpanel', { name: 'Orders' }).waitFor();
    await page.getByTestId('chain').waitFor({ state: 'hidden' });
    assert.ok(await page.getByTestId('link').isVisible(), 'the link is always in sight');
    assertNoFaults(faults);
    await page.context().close();
  });
});

/** The parts of an order that a trader reads or presses. */
const ORDER_PARTS = ['.switch', '[name="qty"]', '[name="price"]', '.order-outcome', '.send'];

/** The parts of an element that are not in sight as a whole: of the page, and of what scrolls around them. */
function cutParts(page: Page, root: string, parts: readonly string[]): Promise<string[]> {
  return page.evaluate(`${JSON.stringify(parts)}.filter((part) => {
    const one = document.querySelector('${root} ' + part);
    if (one === null) return true;
    const { top, bottom, height } = one.getBoundingClientRect();
    for (let at = one.parentElement; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === 'visible') continue;
      const room = at.getBoundingClientRect();
      if (top < room.top - 0.5 || bottom > room.bottom + 0.5) return true;
    }
    return height === 0 || top < 0 || bottom > innerHeight;
  })`);
}

function overflowPx(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}

/** Texts of elements that extend beyond the page, or the given element, to the left or right. */
function outOfSight(page: Page, selector: string, within = 'html'): Promise<string[]> {
  return page.evaluate(`(() => {
    const room = document.querySelector('${within}').getBoundingClientRect();
    const isOut = ({ left, right }) => left < room.left || right > room.right + 0.5;
    return [...document.querySelectorAll('${selector}')]
      .filter((one) => one.offsetWidth > 0 && isOut(one.getBoundingClientRect()))
      .map((one) => one.textContent);
  })()`);
}

/** Pairs of elements that lie over each other, though neither is in the other. */
function overlapping(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`(() => {
    const all = [...document.querySelectorAll('${selector}')].filter((one) => one.checkVisibility());
    const boxes = all.map((one) => one.getBoundingClientRect());
    return all.flatMap((one, i) => all.slice(0, i).flatMap((other, k) => {
      if (one.contains(other) || other.contains(one)) return [];
      const [a, b] = [boxes[i], boxes[k]];
      const isApart = a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom;
      return isApart ? [] : [other.className + ' and ' + one.className];
    }));
  })()`);
}

function cutOffPrices(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('.chain td:is(.bid, .ask, .mark)')]
      .filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent)`);
}

function sizeOf(page: Page, selector: string, side: 'width' | 'height'): Promise<number> {
  return page.evaluate(`Math.round(document.querySelector("${selector}").getBoundingClientRect().${side})`);
}

function topOf(page: Page, selector: string): Promise<number> {
  return page.evaluate(`Math.round(document.querySelector("${selector}").getBoundingClientRect().top)`);
}

/** Texts of elements whose content runs over their right edge. */
function runOver(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('${selector}')]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => one.textContent)`);
}

/** The distinct row heights. */
function rowHeights(page: Page): Promise<number[]> {
  return page.evaluate(`
    [...new Set([...document.querySelectorAll('.chain tbody tr')].map((row) => row.getBoundingClientRect().height))]`);
}
