import { sqlData } from '../../../../src/stores/sql/sql-data.js'
import type { SqlDataOptions } from '../../../../src/stores/sql/sql-data-options.js'
import { table } from '../../../../src/stores/sql/schema/table.js'
import type { ColumnType } from '../../../../src/stores/sql/schema/column-type.js'
import { compileType } from '../../../../src/server/assembly/compile/compile-type.js'
import type {
  ColumnValues,
  CreateShortcuts,
  Persister,
  WriteContext,
} from '../../../../src/declare/resource/capabilities/persister.js'
import type { WorkContext } from '../../../../src/declare/resource/events/stored-rows.js'
import type { Transaction } from '../../../../src/declare/resource/request/transactions.js'
import type { Model } from '../../../../src/declare/resource/parts/model.js'
import { defineResource } from '../../../../src/declare/resource/define/define-resource.js'
import { id } from '../../../../src/declare/resource/fields/id-declaration.js'
import type { RawDeclaration } from '../../../../src/declare/resource/define/raw-declaration.js'
import type { RowSet } from '../../../../src/core/rows/row-set.js'
import { isRowSet, rowObject } from '../../../../src/core/rows/row-set.js'
import { context } from '../../music-rows.js'
import type { OpenDatabase } from './open-databases.js'

/** Nothing here writes elsewhere. */
const writing: WorkContext = {
  ...context,
  operation: 'CreateResource',
  transaction: null,
  db: null,
  rows() {
    throw new Error('The rows of other types are not there.')
  },
}

type Stored = Readonly<Record<string, unknown>>

/** Rows of one table as its persister creates them, one by one and together. */
export interface ManyRows {
  readonly persister: Persister
  readonly ran: string[]
  readonly one: (values: ColumnValues, transaction?: Transaction | null) => Promise<Stored>
  /** `null` where they are to be created one by one. */
  readonly many: (rows: readonly ColumnValues[], transaction?: Transaction | null) => Promise<readonly Stored[] | null>
  readonly run: (work: (transaction: Transaction) => Promise<void>) => Promise<void>
}

interface ManyOptions extends Pick<SqlDataOptions, 'retries' | 'isolation'> {
  readonly name?: string
  readonly key?: string
  readonly ids?: ReturnType<typeof id>
  readonly columns?: Readonly<Record<string, ColumnType>>
  readonly model?: Model<object>
}

export function manyRows({ database, options: more }: OpenDatabase, options: ManyOptions = {}): ManyRows {
  const { name = 'things', key = 'id', ids = id(key), columns = {}, model, ...settings } = options
  const ran: string[] = []
  const data = sqlData(database, { ...settings, ...more, onStatement: ({ sql }) => ran.push(sql) })
  const declared = defineResource('things', {
    model: model ?? table<Record<string, unknown>>(name, { key, columns }),
    id: ids,
    attributes: () => ({}),
  }) as unknown
  const type = compileType(declared as RawDeclaration)
  const persister = data.persister(type)
  const { transactions } = data
  if (persister === null || transactions === null) throw new Error('The store does not keep the type.')
  return {
    persister,
    ran,
    async one(values, transaction = null) {
      return (await persister.create(type, values, write(transaction))) as Stored
    },
    async many(rows, transaction = null) {
      const response = await manyOf(persister)(type, rows, write(transaction))
      return response === null ? null : objectsOf(response)
    },
    run: (work) => transactions.run(work),
  }
}

function write(transaction: Transaction | null): WriteContext {
  return { transaction, context: writing }
}

function manyOf({ shortcuts }: Persister): NonNullable<CreateShortcuts['many']> {
  if (shortcuts?.create?.many === undefined) throw new Error('The persister creates rows one by one only.')
  return shortcuts.create.many
}

function objectsOf(response: RowSet | readonly object[]): readonly Stored[] {
  if (!isRowSet(response)) throw new Error('Rows were returned as objects.')
  return response.rows.map((row) => rowObject(response.columns, row))
}
