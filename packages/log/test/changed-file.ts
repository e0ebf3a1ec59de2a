import { DatabaseSync } from 'node:sqlite';

/** Changes the file of a SQLite log behind the log's back. */
export function change(at: string, sql: string): void {
  const db = new DatabaseSync(at);
  db.exec(sql);
  db.close();
}
