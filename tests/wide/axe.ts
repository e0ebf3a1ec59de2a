/** Accessibility violations of a page found by axe. */

import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Fails with a line for each violation in part of the page. The whole page is looked at in both schemes, which differ
 * only in colours, and of these every text has 5:1 on every surface (`packages/web/test/style.test.ts`).
 */
export async function assertAccessible(page: Page, part?: string): Promise<void> {
  const faults: string[] = [];
  for (const colorScheme of part === undefined ? (['light', 'dark'] as const) : (['dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    // Without it axe opens a page for each look, to join what it found in frames, of which there are none.
    const axe = new AxeBuilder({ page }).setLegacyMode().include(part ?? 'html');
    // Describing all that it found in order takes longer than finding it.
    axe.options({ resultTypes: ['violations'] });
    if (colorScheme === 'light') axe.withRules('color-contrast');
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      faults.push(...nodes.map(({ html }) => `${colorScheme}: ${id}: ${html}`));
  }
  assert.deepEqual(faults, []);
}
