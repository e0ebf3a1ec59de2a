/** The dock's tab for real money; its script is loaded when the tab is first opened. */

import { later } from '../../kit/later.tsx';

export const FundsTab = later(async () => (await import('./Funds.tsx')).Funds);
