/** Leads to the form of price alerts. */

import type { Terminal } from '../../terminal/terminal.ts';
import { showPanel } from '../../view/show-panel.ts';

/** Asks for an alert on a contract or an underlying. Where a ticket covers the form, it gives way. */
export async function askAlert(
  { stores, desk, watchDesk }: Pick<Terminal, 'stores' | 'desk' | 'watchDesk'>,
  name: string,
): Promise<void> {
  (await watchDesk()).asked.setState({ name, isFresh: true });
  if (matchMedia('(width < 1024px)').matches) desk.close();
  showPanel(stores, 'Watch');
}
