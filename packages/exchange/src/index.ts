/** The node around engine and log. */

export { checkExchange, checkFollower } from './check.ts';
export { besideLog, type Config, loadConfig, loadFollowerConfig, loadLogSpec } from './config.ts';
export { runExchange, runFollower } from './main.ts';
export { type Exchange, type ExchangeDeps, startExchange, startFollower } from './node.ts';
