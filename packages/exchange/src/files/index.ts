/** Tables in the form of the daily files, for callers that write their own. */

export { HashedFile } from './hashed-file.ts';
export { ParquetTable } from './parquet.ts';
export { TABLES } from './tables.ts';
