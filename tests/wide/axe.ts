/** What axe would change about a page, in both colour schemes. */

import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Fails with a line for each place of the part that breaks a rule, among them those of contrast in either scheme. */
export async function assertAccessible(page: Page, part = 'html'): Promise<void> {
  const faults: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page }).include(part);
    // The schemes differ in nothing but their colours.
    if (colorScheme === 'light') axe.withRules('color-contrast');
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      faults.push(...nodes.map(({ html }) => `${colorScheme}: ${id}: ${html}`));
  }
  assert.deepEqual(faults, [], part);
}
