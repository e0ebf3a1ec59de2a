/** Tables in the form of the daily files, for whoever writes some of his own. */

export { HashedFile } from './hashed-file.ts';
export { ParquetTable } from './parquet.ts';
export { TABLES } from './tables.ts';
