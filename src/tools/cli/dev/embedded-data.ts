import type { DataSource } from '../../../stores/common/data-source.js'
import { driverOf } from '../../../stores/sql/driver/driver-of.js'
import type { SqliteDatabase } from '../../../stores/sql/dialect/sqlite/driver/sqlite-database.js'
import { embeddedTables } from '../../../stores/sql/dialect/sqlite/schema/embedded-tables.js'
import { sqlData } from '../../../stores/sql/sql-data.js'
import { table } from '../../../stores/sql/schema/table.js'
import { isTableModel, type TableModel } from '../../../stores/sql/schema/table-model.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { isModel, type Model } from '../../../declare/resource/parts/model.js'
import { isRawDeclaration } from '../../../declare/resource/define/raw-declaration.js'

/** A store whose tables are created from the declarations. */
interface EmbeddedData {
  readonly data: DataSource
  /** Creates missing tables and columns. Call it after the server is built. */
  readonly createTables: () => Promise<void>
}

const naming = 'snake_case'

/** Returns a store over a database of SQLite for declarations. Their models need not be tables. */
export function embeddedData(database: SqliteDatabase, resources: readonly unknown[]): EmbeddedData {
  const named = resources.flatMap((resource) =>
    isRawDeclaration(resource) ? namedTable(resource.members['model']) : [],
  )
  // Several types may have the same rows.
  const models = [...new Map(named.map((model) => [model.name, model])).values()]
  const data = sqlData(database, { naming, tables: models })
  let types: readonly CompiledType[] = []
  return {
    data: {
      ...data,
      check(compiled) {
        types = compiled
        return data.check?.(compiled) ?? []
      },
    },
    async createTables() {
      const driver = driverOf(database, {})
      const statements = await embeddedTables(driver, { types, models, naming, schema: null })
      for (const statement of statements) database.exec(statement)
    },
  }
}

/** Returns the table of a model that is only a name. */
function namedTable(model: unknown): readonly TableModel<unknown>[] {
  if (!isModel(model) || isTableModel(model)) return []
  return [table(model.name, keyOption(model))]
}

function keyOption({ key, hasDefaultKey = false }: Model<unknown>): { readonly key?: never } {
  if (hasDefaultKey) return {}
  const [first, ...others] = keyColumns(key)
  return { key: (others.length === 0 ? first : [first, ...others]) as never }
}
