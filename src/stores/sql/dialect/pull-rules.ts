import type { ToolEngineName } from '../../../core/util/engine-name.js'
import type { SqlDatabase } from '../driver/driver-of.js'
import type { SqlDriver } from '../driver/sql-driver.js'
import type { SchemaColumn, SchemaDetails, SchemaTable } from '../schema/database-schema.js'

/** A database that cannot be opened, or cannot be the one that is meant. The message is for the user. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
}

/** The database of a pull. It stays the same if the host, the user or the password changes. */
export interface Origin {
  readonly engine: ToolEngineName
  /** The name of the database, or of the file without its folder. */
  readonly name: string
}

/** How a service opens the database. */
export interface Connection {
  /** The package that opens it. */
  readonly package: string
  /** The path of the file; null for a server. */
  readonly file: string | null
}

/** A database that was opened by its address. */
export interface OpenDatabase extends Connection {
  readonly database: SqlDatabase
  readonly close: () => Promise<void>
}

/** The schemas that are read, and the file that they are in. */
export interface OriginOptions {
  /** Null for a server. */
  readonly file: string | null
  /** Empty for the first schema of the search path. */
  readonly schemas: readonly string[]
}

/** Lines of the module that exports the server. */
export interface ServerLines {
  /** Imports before those of Ashlar, and after them. */
  readonly imports: readonly [before: readonly string[], after: readonly string[]]
  readonly open: readonly string[]
  readonly close: readonly string[]
  readonly options: readonly string[]
}

/** What `ashlar pull` knows about an engine, as one frozen record. Services do not load it. */
export interface PullRules {
  readonly name: ToolEngineName
  /** The name for messages. */
  readonly title: string
  /** Whether statements name the schema of a table. */
  readonly namesSchemas: boolean
  /** What to try if a database has no tables; begins with a space. */
  readonly withoutTables: string
  /** The packages that can open a database. The first one is the one to install. */
  readonly packages: readonly string[]
  /** Whether an address may be one of a database of this engine. */
  readonly accepts: (address: string) => boolean
  /** Rejects with an `OpenError` if there is no such database. */
  readonly open: (address: string) => Promise<OpenDatabase>
  /** Reads which database it is. Rejects with an `OpenError` if it has no such schema. */
  readonly readOrigin: (driver: SqlDriver, options: OriginOptions) => Promise<Origin>
  readonly readDetails: (driver: SqlDriver, schema: string | null) => Promise<SchemaDetails>
  /** Returns the columns of a table, with the types of their values if the database does not know them. */
  readonly typedColumns: (driver: SqlDriver, table: SchemaTable) => Promise<readonly SchemaColumn[]>
  /** Whether columns hold instants as `2026-01-31 12:00:00`. */
  readonly hasSpacedInstants: (driver: SqlDriver, tables: readonly SchemaTable[]) => Promise<boolean>
  /** @param connection the package, and the path of the file as a literal of TypeScript */
  readonly serverLines: (connection: Connection) => ServerLines
}
