import type { Dialect as KyselyDialect, RawBuilder } from 'kysely'
import type { Sentence } from '../../../core/errors/sentence.js'
import type { ComparedAs, StorageType } from '../../../declare/resource/fields/value-kind.js'
import type { EngineName } from '../../../core/util/engine-name.js'
import type { RawStored } from '../../../core/util/raw-stored.js'
import type { DatabaseAccess, SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { CodecRules } from '../schema/column-codec.js'
import type { ColumnType, Fitting } from '../schema/column-type.js'
import type { FoundTable, LiveColumn, LiveTable, TableName } from '../schema/live-schema.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { ParameterSlot } from '../statement/statement-shape.js'
import type { Capabilities } from './capabilities.js'
import type { Operands, ReadAs } from './operand.js'
import type { GroupSpelling } from './group-spelling.js'
import type { SearchRules } from './search-rules.js'
import type { ListSpelling, Spelling } from './spelling.js'

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
  /** Null if the engine finds no words as the others do: a filter that searches them is a fault of the declaration. */
  readonly search: SearchRules | null
  readonly values: ValueRules
  readonly groups: GroupSpelling
  /** How the planner estimates the number of rows of a query; null if it does not. */
  readonly estimates: EstimateRules | null
  readonly schema: SchemaRules
  readonly constraints: ConstraintRules
  readonly transactions: TransactionRules
  /** How the positions of read replicas are read; null if the engine has none. */
  readonly log: LogRules | null
  readonly limits: StatementLimits
}

type Expression = RawBuilder<unknown>

/** How values are converted, bound, compared and read. */
export interface ValueRules {
  readonly codec: CodecRules
  readonly operands: Operands
  readonly readAs: ReadAs
  /** The day of an instant in UTC. */
  readonly dayIn: (reference: Expression, type: ColumnType) => Expression
  /** How a cursor reads an instant with all its digits; null if the value of the column has them. */
  readonly instantPosition: {
    readonly read: (reference: Expression) => Expression
    readonly decode: (stored: unknown) => unknown
  } | null
  /** A stored value for a cursor that is not of the type of its column; null for regular values. */
  readonly irregular: (
    stored: unknown,
    column: Pick<SqlColumn, 'type' | 'notation'> & { readonly as: ComparedAs | 'key' },
  ) => RawStored | null
  /** A parameter of a statement of the application. */
  readonly ofApplication: (value: unknown) => unknown
}

/** How a type uses a column as its id. */
export interface KeyUse {
  /** The type of the column as the database spells it. */
  readonly databaseType: string
  /** Whether the model declares the type of the column. */
  readonly isDeclared: boolean
  /** Whether a codec converts the ids. */
  readonly isConverted: boolean
}

/** What an engine knows about tables and columns. */
export interface SchemaRules {
  readonly readTables: (database: DatabaseAccess, requested: readonly TableName[]) => Promise<readonly FoundTable[]>
  /** The type of a column, by its type in the database and by the kind of its attribute. */
  readonly typeOf: (live: ColumnType, storageType: StorageType | null) => ColumnType
  /** Whether the driver returns the values of a type as the text that the database displays. */
  readonly isText: (type: ColumnType) => boolean
  /** Whether a column may hold more digits than attributes show. */
  readonly mayBeFiner: (type: ColumnType, databaseType: string) => boolean
  /** The column types that fit each kind of attribute. */
  readonly fitting: Fitting
  /** The remedy for a column whose shown ids may not find their rows; null if they do. */
  readonly keyRemedy: (column: SqlColumn, use: KeyUse) => string | null
  /** Whether only equal keys of a type compare as equal, by its name in the database too. */
  readonly comparesExactly: (type: ColumnType, databaseType: string) => boolean
  /** The number of characters and the bound of the integers that a type takes. */
  readonly keyLimits: (databaseType: string) => { readonly length: number; readonly bound: bigint }
  /** Whether the database may generate ascending keys for several rows. */
  readonly mayCountKeys: (table: LiveTable, key: LiveColumn, type: ColumnType) => boolean
  /** A column that every table has and that the catalogue does not list; null if there is none of that name. */
  readonly systemColumn: (name: string) => LiveColumn | null
  /** The collation by code points in the definition of an index. */
  readonly codePoints: string
  /**
   * Returns the statement that makes the database compare all texts of a table by code points; null if the engine does so anyway, or if each
   * statement says it.
   */
  readonly exactCollation: ((table: TableName) => string) | null
  /** The columns that identify a row of a table without a key; empty if the engine has none. */
  readonly rowIdentity: readonly string[]
  /** Whether a trigger may set the key of a new row. */
  readonly setsKeys: (database: DatabaseAccess, table: TableName) => Promise<boolean>
  /** Throws if the database can only be read. */
  readonly expectWritable: (database: DatabaseAccess) => Promise<void>
  /** Why a database cannot be used at all, in a sentence; null for other errors. */
  readonly describeFailure: (thrown: unknown) => string | null
  /** The types of the table of idempotency keys. */
  readonly storedTypes: {
    readonly bytes: string
    readonly bigint: string
    readonly text: string
    /** The types of the two columns of the key. */
    readonly keys: readonly [string, string]
  }
  /** Quotes a name for a statement whose text Kysely does not build. */
  readonly quotedName: (name: string) => string
  /** The name and the table of an index to create. */
  readonly indexOn: (index: string, table: TableName) => string
}

export interface EstimateRules {
  /** A statement that plans a query without running it. */
  readonly explain: (query: Expression) => Expression
  /** The number of rows in the first value that the statement returns; null if it has none. */
  readonly rowsIn: (plan: unknown) => number | null
}

export interface TransactionRules {
  readonly begin: (isolation: string | undefined, access?: string) => string
  /** Begins a transaction whose reads all see the rows of one moment. */
  readonly snapshot: string
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
  readonly readPosition: (stored: unknown) => bigint | null
}

export interface StatementLimits {
  readonly parameters: number
}

/** Runs a statement that reads the catalogue, to find the cause of a refused write. */
export type ReadCatalogue = (
  statement: { readonly purpose?: string; readonly key: string; readonly values?: readonly unknown[] },
  write: (...slots: readonly ParameterSlot[]) => RawBuilder<unknown>,
) => Promise<SqlResult>

/** A value of a refused row, by the name of its column, as the text that the driver sends. */
export interface SentText {
  readonly name: string
  readonly text: string
}

/** How an engine reports violated constraints, as far as its errors do not say it. */
export interface ConstraintRules {
  /** The schema of a reported table that is a partition of the written table, or behind a view; null if there is none. */
  readonly schemaBehind: (written: TableName, reported: string, read: ReadCatalogue) => Promise<string | null>
  /** Whether a table has a constraint, or a unique index, of a name. */
  readonly has: (constraint: string, table: TableName, read: ReadCatalogue) => Promise<boolean>
  /** The names of the columns of a constraint; null if the engine has no names of foreign keys, and does not list the columns. */
  readonly columnsOf:
    | ((constraint: string | null, table: TableName, read: ReadCatalogue) => Promise<readonly string[]>)
    | null
  /** The text of a check constraint. */
  readonly checkText: (constraint: string, table: TableName, read: ReadCatalogue) => Promise<string>
  /** The columns whose values do not fit, each with a sentence about the allowed values; an empty list if that is unknown. */
  readonly invalidValues: (
    table: { readonly schema: string | null; readonly name: string },
    sent: readonly SentText[],
    read: ReadCatalogue,
  ) => Promise<readonly { readonly name: string; readonly allowed: Sentence | null }[]>
}
