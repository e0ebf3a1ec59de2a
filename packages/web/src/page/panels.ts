/** Loads the panels not visible at first, in one script, which is smaller than many. */

export { AccountPanel } from '../areas/account/AccountPanel.tsx';
export { Session } from '../areas/account/Session.tsx';
export { CloseAll } from '../areas/book/CloseAll.tsx';
export { Closed } from '../areas/book/ClosedOrders.tsx';
export { GuardDesk } from '../areas/book/core/guard-desk.ts';
export { Fills } from '../areas/book/Fills.tsx';
export { Orders } from '../areas/book/Orders.tsx';
export { ExpiryWindow } from '../areas/chain/ExpiryWindow.tsx';
export { HowItSettles } from '../areas/chain/HowItSettles.tsx';
export { InReview, Settled } from '../areas/chain/Settlement.tsx';
export { SymbolList } from '../areas/chain/SymbolList.tsx';
export { HelpText } from '../areas/help/HelpText.tsx';
export { Log } from '../areas/notices/Log.tsx';
export { Ended } from '../kit/Ended.tsx';
