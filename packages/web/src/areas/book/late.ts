/** Loads the panels of orders and fills, which are not visible at first, in one script. */

export { CloseAll } from './CloseAll.tsx';
export { Closed } from './ClosedOrders.tsx';
export { GuardDesk } from './core/guard-desk.ts';
export { Fills } from './Fills.tsx';
export { Orders } from './Orders.tsx';
