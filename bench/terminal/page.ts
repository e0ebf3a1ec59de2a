/** The scripts that the terminal's benchmark runs inside a page: kept as text, as they are not meant for Node. */

import type { Locator, Page } from 'playwright-core';

/** Stores the time of the frame after the first price appears in `firstPriceMs`. */
export const WATCH_FIRST_PRICE = `
  const look = () => {
    const price = document.querySelector('tr[data-at-the-money] td.ask')?.textContent ?? '';
    if (!/[0-9]/.test(price)) requestAnimationFrame(look);
    else requestAnimationFrame(() => { globalThis.firstPriceMs = performance.now(); });
  };
  requestAnimationFrame(look);
`;

/** Speeds up the page's clocks by this factor, so that it reads and paints that much more often. */
export function hurryClocks(haste: number): string {
  return `
    globalThis.haste = ${haste};
    const now = performance.now.bind(performance);
    performance.now = () => now() * ${haste};
    for (const name of ['setInterval', 'setTimeout']) {
      const timer = globalThis[name];
      globalThis[name] = (work, ms = 0, ...rest) => timer(work, ms / ${haste}, ...rest);
    }
  `;
}

/** Sets this many texts, in a table as large as the chain, four times a second. */
export function setTexts(count: number): string {
  return `{
    const table = document.querySelector('table');
    const texts = [];
    for (let row = 0; row < 41; row++) {
      const cells = table.insertRow();
      for (let i = 0; i < 21; i++) {
        const text = document.createTextNode('–');
        cells.insertCell().append(text);
        texts.push(text);
      }
    }
    let n = 0;
    setInterval(() => {
      n += 1;
      requestAnimationFrame(() => {
        for (let i = 0; i < ${count}; i++) texts[i % texts.length].data = (n * 1.25 + i).toFixed(2);
      });
    }, 250);
  }`;
}

/** Counts the chain's updates in that time, each of which changes many texts. */
export function countUpdates(ms: number): string {
  return `new Promise((resolve) => {
    let count = 0;
    const observer = new MutationObserver(() => { count += 1; });
    observer.observe(document.querySelector('table.chain tbody'), { characterData: true, subtree: true });
    setTimeout(() => { observer.disconnect(); resolve(count); }, ${ms} * (globalThis.haste ?? 1));
  })`;
}

/** Frames in which the spot of the what-if was moved, and answers to these moves that were shown. */
export interface Slid {
  readonly frames: number;
  readonly answers: number;
}

/** Moves the spot of the what-if with every frame, there and back, for so long. */
export function slideSpot(ms: number): string {
  return `new Promise((resolve) => {
    const slider = document.querySelector('.WhatIf_slider input');
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    let frames = 0;
    let answers = 0;
    const observer = new MutationObserver(() => { answers += 1; });
    const figures = document.querySelector('.WhatIf_outlook dl');
    observer.observe(figures, { characterData: true, childList: true, subtree: true });
    const untilMs = performance.now() + ${ms};
    const move = () => {
      if (performance.now() > untilMs) {
        observer.disconnect();
        resolve({ frames, answers });
        return;
      }
      frames += 1;
      set.call(slider, 20 * Math.sin(frames / 30));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  })`;
}

/** Counts the chain's texts that change in that time. */
export function countTexts(ms: number): string {
  return `new Promise((resolve) => {
    let count = 0;
    const observer = new MutationObserver((records) => { count += records.length; });
    observer.observe(document.querySelector('table.chain tbody'), { characterData: true, subtree: true });
    setTimeout(() => { observer.disconnect(); resolve(count); }, ${ms});
  })`;
}

/** Turns the chain to this many expiries, and to another underlying and back, each until its prices are there. */
export async function turnThrough(page: Page, expiries: number, otherSymbol: string): Promise<void> {
  const tabs = page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab');
  for (let i = 1; i <= expiries; i++) await turnTo(page, tabs.nth(i));
  const symbols = page.getByRole('navigation', { name: 'Underlyings' }).getByRole('button');
  await turnTo(page, symbols.filter({ hasText: otherSymbol }));
  await turnTo(page, symbols.filter({ hasNotText: otherSymbol }));
}

/** Presses the button of an expiry or an underlying, and waits for its prices. */
export async function turnTo(page: Page, button: Locator): Promise<void> {
  await button.click();
  await page
    .locator('[data-testid="chain"] tr[data-at-the-money] td.ask', { hasText: /\d/ })
    .first()
    .waitFor();
}

/** Processor time of the page's thread until a tab's panel is shown. */
export async function cpuMsOfTab(page: Page, tab: string): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ThreadTime')!.value * 1_000;
  };
  const before = await taken();
  await page.evaluate(`(() => {
    const tab = [...document.querySelectorAll('.dock [role="tab"]')].find((one) => one.textContent.startsWith('${tab}'));
    tab.click();
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  })()`);
  const ms = (await taken()) - before;
  await cdp.detach();
  return ms;
}
