/** The node around engine and log. */

export { type Config, ConfigError, type Environment, loadConfig } from './config.ts';
export { runExchange } from './main.ts';
export { type Exchange, type ExchangeDeps, startExchange } from './node.ts';
