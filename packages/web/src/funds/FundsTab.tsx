/** The dock's tab of real money: its script is fetched when it is first opened. */

import { later } from '../kit/later.tsx';

export const FundsTab = later(async () => (await import('./Funds.tsx')).Funds);
