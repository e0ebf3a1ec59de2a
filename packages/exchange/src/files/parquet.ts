/** A table as Parquet: amounts as DECIMAL(18, 6) and times as UTC timestamps, so that every reader sees exact values. */

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { HashedFile } from './hashed-file.ts';
import type { Cell, Column, ColumnKind, Row } from './tables.ts';

/** Rows of one group, which are in memory at a time. */
const GROUP_ROWS = 65_536;
const CREATED_BY = 'venue';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type Element = Schema[number];

/** Every amount is a whole number of micros below 2^53. */
const DECIMAL = { precision: 18, scale: 6 } as const;

const TYPES: Readonly<Record<ColumnKind, Omit<Element, 'name' | 'repetition_type'>>> = {
  count: { type: 'INT64' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  amount: {
    type: 'INT64',
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', ...DECIMAL },
    ...DECIMAL,
  },
};

export class ParquetTable {
  readonly #columns: readonly Column[];
  readonly #writer: ParquetWriter;
  #rows: Row[] = [];

  constructor(file: HashedFile, columns: readonly Column[]) {
    this.#columns = columns;
    this.#writer = new ParquetWriter({
      writer: new FileWriter(file),
      schema: schemaOf(columns),
      createdBy: CREATED_BY,
    });
  }

  add(row: Row): void {
    this.#rows.push(row);
    if (this.#rows.length === GROUP_ROWS) this.#flush();
  }

  /** Call once, after the last row. */
  end(): void {
    if (this.#rows.length > 0) this.#flush();
    this.#writer.finish();
  }

  #flush(): void {
    const columnData = this.#columns.map(({ name, kind }, i) => ({
      name,
      data: this.#rows.map((row) => storedOf(kind, row[i]!)),
    }));
    this.#writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    this.#rows = [];
  }
}

function schemaOf(columns: readonly Column[]): Schema {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(
      ({ name, kind, isNullable }): Element => ({
        name,
        repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED',
        ...TYPES[kind],
      }),
    ),
  ];
}

/** The library takes a bigint for the stored integer as it is, and would scale a number. */
function storedOf(kind: ColumnKind, cell: Cell): bigint | string | null {
  return kind === 'text' || cell === null ? (cell as string | null) : BigInt(cell);
}

/** Hands over what a row group takes once the group is complete. */
class FileWriter extends ByteWriter {
  readonly #file: HashedFile;

  constructor(file: HashedFile) {
    super();
    this.#file = file;
  }

  flush(): void {
    this.#file.write(new Uint8Array(this.buffer, 0, this.index));
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}
