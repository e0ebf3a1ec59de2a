/** The schemas of all wire objects, apart from the package's main entry point so that browsers need not load them. */

export * from './account.ts';
export * from './analytics.ts';
export * from './auth.ts';
export * from './batch.ts';
export * from './channels.ts';
export * from './contract-wallets.ts';
export * from './custody.ts';
export * from './maker.ts';
export * from './margin.ts';
export * from './market.ts';
export * from './market-history.ts';
export * from './operator.ts';
export * from './orders.ts';
export { PAGE_ROWS_MAX } from './primitives.ts';
export * from './reasons.ts';
export * from './repairs.ts';
export * from './simulate.ts';
export * from './statement.ts';
export * from './stream.ts';
export * from './stream-table.ts';
export * from './venue.ts';
