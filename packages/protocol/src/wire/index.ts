/** The schemas of every wire object, apart from the package's main door so that a browser need not load them. */

export * from './account.ts';
export * from './auth.ts';
export * from './custody.ts';
export * from './maker.ts';
export * from './margin.ts';
export * from './market.ts';
export * from './orders.ts';
export * from './statement.ts';
export * from './stream.ts';
