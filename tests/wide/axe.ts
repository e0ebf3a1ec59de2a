/** Accessibility violations of a page found by axe, in both colour schemes. */

import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Fails with a line for each violation in part of the page, including contrast in either scheme. */
export async function assertAccessible(page: Page, part = 'html'): Promise<void> {
  const faults: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Without it axe opens a page for each look, to join what it found in frames, of which there are none.
    const axe = new AxeBuilder({ page }).setLegacyMode().include(part);
    // The schemes differ only in colours.
    if (colorScheme === 'light') axe.withRules('color-contrast');
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      faults.push(...nodes.map(({ html }) => `${colorScheme}: ${id}: ${html}`));
  }
  assert.deepEqual(faults, [], part);
}
