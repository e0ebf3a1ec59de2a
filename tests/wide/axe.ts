/** What axe would change about a page, in both colour schemes. */

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** One line a fault: the rule, and the first place where it is broken. All rules, so also those of contrast. */
export async function axeFaults(page: Page, part: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).include(part).analyze();
    faults.push(...violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes[0]?.html}`));
  }
  return faults;
}
