/** The node around engine and log. */

export { checkExchange } from './check.ts';
export { besideLog, type Config, loadConfig, loadLogSpec } from './config.ts';
export { HashedFile } from './files/hashed-file.ts';
export { ParquetTable } from './files/parquet.ts';
export { TABLES } from './files/tables.ts';
export { runExchange } from './main.ts';
export { type Exchange, type ExchangeDeps, startExchange } from './node.ts';
