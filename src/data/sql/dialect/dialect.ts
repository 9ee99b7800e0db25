import type { Dialect as KyselyDialect, RawBuilder } from 'kysely'
import type { StorageType } from '../../../resource/fields/value-kind.js'
import type { EngineName } from '../../../util/engine-name.js'
import type { RawStored } from '../../../util/raw-stored.js'
import type { DatabaseAccess, SqlStatement } from '../driver/sql-statement.js'
import type { CodecRules } from '../schema/column-codec.js'
import type { ColumnType } from '../schema/column-type.js'
import type { Fitting } from '../schema/fitting.js'
import type { KeyUse } from '../schema/key-column.js'
import type { FoundTable, LiveColumn, LiveTable, TableName } from '../schema/live-schema.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'
import type { Capabilities } from './capabilities.js'
import type { ConstraintRules } from './constraint-rules.js'
import type { Operands, ReadAs } from './operand.js'
import type { TextSearch } from './text-search.js'

/**
 * Everything that the SQL store knows about an engine, as one frozen record. Shared code asks for a capability or calls
 * a function of the record, and never tests the name.
 */
export interface SqlDialect {
  readonly name: EngineName
  /** The adapter and the compiler of Kysely. Its driver runs nothing. */
  readonly kysely: KyselyDialect
  readonly can: Capabilities
  readonly spell: Spelling
  readonly lists: ListSpelling
  readonly values: ValueRules
  readonly schema: SchemaRules
  readonly constraints: ConstraintRules
  readonly transactions: TransactionRules
  /** How the positions of read replicas are read; null if the engine has none. */
  readonly log: LogRules | null
  readonly limits: StatementLimits
}

/** A lock of the rows that a statement reads: against changes, only against deletion, or of rows that have no lock. */
export type RowLock = 'update' | 'key share' | 'update skip locked'

type Expression = RawBuilder<unknown>

/** The spelling of parts of statements. */
export interface Spelling {
  /** Casts the expression of a computed column to its type. */
  cast(expression: Expression, type: ColumnType): Expression
  /** Casts a key to text. */
  asText(expression: Expression): Expression
  /** A parameter with the type that it has in the database. */
  parameter(slot: unknown, type: string | null): Expression
  /** A column as the text that the database displays. */
  displayed(reference: Expression): Expression
  /** An instant as ISO text with all its digits; null if the engine has no more digits than a `Date`. */
  readonly isoText: ((reference: Expression, type: ColumnType) => Expression) | null
  /** The name of the collation by code points. */
  readonly codePoints: Expression
  /** A key in an order by code points, unless columns have that order anyway. */
  keyInOrder(column: Expression, type: ColumnType): Expression
  /** Begins with a space; empty if transactions that write need no locks. */
  lock(lock: RowLock): Expression
  /** The limit that keeps a sorted query from being merged with the limited query in it; empty if none is needed. */
  readonly unlimited: Expression
  exists(query: Expression): RawBuilder<boolean>
  /** Whether a value differs from a new one, where two nulls are the same. */
  differs(column: Expression, value: unknown): Expression
  /** Binds a search that ignores the case of ASCII letters. Returns the condition on a text. */
  textSearch(search: TextSearch, shape: StatementShape): (text: Expression) => RawBuilder<boolean>
  /** How stored values with more digits than attributes show are compared; null if the engine has none. */
  readonly finer: FinerSpelling | null
  /** The part of an insert that lets given keys replace those which the database generates. Ends with a space. */
  readonly givenKeys: Expression
  /** The source of an insert that sets no column. */
  readonly defaultRow: Expression
  /** The part of an insert that updates, or else skips, a row with the same values in a unique index. */
  onConflict(unique: readonly string[], changed: readonly string[]): Expression
  /** How one parameter holds any number of rows to write; null if each value is a parameter. */
  readonly boundRows: BoundRowsSpelling | null
  /** How the sequences of keys are read and moved; null if the engine has none, or never generates a key that is taken. */
  readonly sequence: SequenceSpelling | null
}

/** Rows that one parameter holds. */
export interface BoundRowsSpelling {
  /** The parameter value; null if a value cannot be written without the risk of a change. */
  valueOf<Row>(
    columns: readonly SqlColumn[],
    rows: readonly Row[],
    read: (row: Row, column: SqlColumn) => unknown,
  ): string | null
  /** The rows, with the columns of a table and the alias `given`; if asked for, numbered in the column `ordinality`. */
  from(table: Expression, rows: unknown, isNumbered?: boolean): Expression
  /**
   * An insert of the rows that fails, and so undoes itself, unless it stored all rows with keys that can be matched with
   * the given rows; null if a statement cannot do that.
   */
  readonly checkedInsert: CheckedInsertSpelling | null
}

export interface SequenceSpelling {
  /** Binds the condition that the values of a column come from a sequence. */
  isUsed(key: SequenceKey, shape: StatementShape): Expression
  /**
   * Binds the statement that moves a sequence to the end of the consecutive keys that are taken. It does not move past the largest key: a
   * client that chooses the largest possible key would then use up all keys. Other transactions may have moved the sequence further in the
   * meantime, so its last value is read again when it is set.
   */
  advance(key: SequenceKey, rows: Expression, shape: StatementShape): () => Expression
}

/** A column with generated keys. */
export interface SequenceKey {
  readonly table: { readonly schema: string | null; readonly name: string }
  readonly column: string
}

export interface CheckedInsertSpelling {
  /** A part of the error message if the insert has failed because of its checks. */
  readonly failure: string
  write(insert: CheckedInsert, shape: StatementShape): () => Expression
}

/** The parts of a checked insert. */
export interface CheckedInsert {
  readonly into: Expression
  /** The bound rows, and their number. */
  readonly rows: unknown
  readonly count: unknown
  readonly columns: readonly string[]
  readonly returned: readonly string[]
  /** The condition that the rows exist which the new ones refer to. */
  readonly references: () => Expression
  /** The key, if the database generates it; else the condition on an alias that a row has one of the given keys, and their number. */
  readonly keys:
    | { readonly kind: 'generated'; readonly key: SequenceKey }
    | {
        readonly kind: 'given'
        readonly column: string
        readonly isGiven: (alias: string) => Expression
        readonly count: unknown
      }
}

/** The comparison of shown values with stored values that have more digits. */
export interface FinerSpelling {
  /** The last instant that is shown as the given millisecond. */
  endOfMillisecond(value: Expression): Expression
  asDouble(value: Expression): Expression
  /** The condition that a value of a bound list meets a condition. */
  hasValue(list: unknown, type: string, meets: (value: Expression) => RawBuilder<boolean>): RawBuilder<boolean>
}

/** How lists are bound as one parameter, and how list columns are read. */
export interface ListSpelling {
  /** The parameter value of a list. */
  value(values: readonly unknown[]): unknown
  contains(list: unknown, type: string, value: Expression): RawBuilder<boolean>
  /** The members of a JSON list of JSON lists, as rows. `item` is one of them. */
  rows(list: unknown): { readonly from: Expression; readonly item: Expression }
  /** A member of a JSON list by its position, as a value of a type. */
  item(list: Expression, index: number, type: string): Expression
  /** The members of a list column as rows of an alias. A single value counts as a list of it. */
  members(list: Expression, alias: string): Expression
  memberText(alias: string): Expression
  /** A member that is a number; null for other members. */
  memberNumber(alias: string): Expression
  /** The value to compare a member with, by the text of a number. */
  number(text: string): unknown
  /** Binds a condition on columns with a list type of the database; null if the engine has no such types. */
  readonly overlaps: ((list: BoundOverlap, shape: StatementShape) => (reference: Expression) => Expression) | null
}

/** A list column, and the values of which it must have one. */
export interface BoundOverlap {
  readonly items: ColumnType | null
  readonly isRounded: boolean
  readonly values: readonly unknown[]
}

/** How values are converted, bound, compared and read. */
export interface ValueRules {
  readonly codec: CodecRules
  readonly operands: Operands
  readonly readAs: ReadAs
  /** The day of an instant in UTC. */
  dayIn(reference: Expression, type: ColumnType): Expression
  /** How a cursor reads an instant with all its digits; null if the value of the column has them. */
  readonly instantPosition: {
    read(reference: Expression): Expression
    decode(stored: unknown): unknown
  } | null
  /** A stored value for a cursor that is not of the type of its column; null for regular values. */
  irregular(stored: unknown, column: Pick<SqlColumn, 'type' | 'notation'> & { readonly as: string }): RawStored | null
  /** A parameter of a statement of the application. */
  ofApplication(value: unknown): unknown
}

/** What an engine knows about tables and columns. */
export interface SchemaRules {
  readTables(database: DatabaseAccess, requested: readonly TableName[]): Promise<readonly FoundTable[]>
  /** The type of a column, by its type in the database and by the kind of its attribute. */
  typeOf(live: ColumnType, storageType: StorageType | null): ColumnType
  /** Whether the driver returns the values of a type as the text that the database displays. */
  isText(type: ColumnType): boolean
  /** Whether a column may hold more digits than attributes show. */
  mayBeFiner(type: ColumnType, databaseType: string): boolean
  /** The column types that fit each kind of attribute. */
  readonly fitting: Fitting
  /** The remedy for a column whose shown ids may not find their rows; null if they do. */
  keyRemedy(column: SqlColumn, use: KeyUse): string | null
  /** Whether only equal keys of a type compare as equal, by its name in the database too. */
  comparesExactly(type: ColumnType, databaseType: string): boolean
  /** The number of characters and the bound of the integers that a type takes. */
  keyLimits(databaseType: string): { readonly length: number; readonly bound: bigint }
  /** Whether the database may generate ascending keys for several rows. */
  mayCountKeys(table: LiveTable, key: LiveColumn, type: ColumnType): boolean
  /** A column that every table has and that the catalogue does not list; null if there is none of that name. */
  systemColumn(name: string): LiveColumn | null
  /** The collation by code points in the definition of an index. */
  readonly codePoints: string
  /** The columns that identify a row of a table without a key. */
  readonly rowIdentity: readonly string[]
  /** Whether a trigger may set the key of a new row. */
  setsKeys(database: DatabaseAccess, table: TableName): Promise<boolean>
  /** Throws if the database can only be read. */
  expectWritable(database: DatabaseAccess): Promise<void>
  /** Why a database cannot be used at all, in a sentence; null for other errors. */
  describeFailure(thrown: unknown): string | null
  /** The types of the table of idempotency keys. */
  readonly storedTypes: { readonly bytes: string; readonly bigint: string }
  /** The name and the table of an index to create. */
  indexOn(index: string, table: TableName): string
}

export interface TransactionRules {
  begin(isolation: string | undefined, access?: string): string
  /** Whether the transaction got a lock of a number until it ends; null if the engine has no such locks or needs none. */
  readonly tryLock: ((number: unknown) => Expression) | null
  /** Whether statements that begin and end transactions are prepared too. */
  readonly isPrepared: boolean
}

/** The log of writes, which replicas replay. */
export interface LogRules {
  /** Queries the position of the primary database. */
  readonly written: SqlStatement
  /** Queries whether a server is a replica, and the position that it has replayed. */
  readonly replayed: SqlStatement
  /** Why a server is not used that is no replica. */
  readonly notReplica: string
  readPosition(stored: unknown): bigint | null
}

export interface StatementLimits {
  readonly parameters: number
}
