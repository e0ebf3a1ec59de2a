/** Leads to the form of price alerts. */

import { showPanel } from '../core/show-panel.ts';
import type { Terminal } from '../kit/terminal.ts';

/** Asks for an alert on a contract or an underlying. Where a ticket covers the form, it gives way. */
export async function askAlert(
  { stores, desk, watchDesk }: Pick<Terminal, 'stores' | 'desk' | 'watchDesk'>,
  name: string,
): Promise<void> {
  (await watchDesk()).asked.setState({ name, isFresh: true });
  if (matchMedia('(width < 1024px)').matches) desk.close();
  showPanel(stores, 'Watch');
}
