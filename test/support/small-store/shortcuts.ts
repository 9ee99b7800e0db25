import type { RequestContext } from 'ashlar'
import {
  type ColumnValues,
  type CompiledType,
  type CreateShortcuts,
  keyIn,
  type Persister,
  type RowCondition,
  type Transaction,
  type WriteContext,
  type WriteShortcuts,
} from 'ashlar/store'
import { isStoreConflict } from 'ashlar'
import type { RowReference } from '../../../src/declare/resource/capabilities/persister.js'
import { sameKey, type StoredRow, type TablesIn, type Wrong } from './values.js'

export type WriteFunctions = Required<Pick<Persister, keyof WriteShortcuts>>

/** Whether a row of a model meets conditions, as the store reads it outside of transactions. */
export type MeetsAll = (row: StoredRow, conditions: readonly RowCondition[], context: RequestContext) => boolean

interface World {
  readonly functions: WriteFunctions
  readonly many: NonNullable<CreateShortcuts['many']>
  readonly tablesIn: TablesIn
  readonly meets: MeetsAll
  readonly wrong: Wrong
}

interface Conditional {
  readonly context: RequestContext
  readonly conditions: readonly RowCondition[]
  readonly transaction?: Transaction | null
}

const writing = (context: RequestContext, transaction: Transaction | null = null): WriteContext => ({
  transaction,
  context: context as never,
})

/** Writes that commit by themselves: the same functions outside of transactions, after a look at all rows that they need. */
export function smallShortcuts({ functions, many, tablesIn, meets, wrong }: World): WriteShortcuts {
  const { create, update, delete: remove, mutateRelationship } = functions
  const rowOf = (type: CompiledType, key: unknown, where: Conditional): StoredRow | null => {
    const { conditions, context, transaction = null } = where
    const rows = tablesIn(transaction).get(type.model?.name ?? '') ?? []
    const row = rows.find((each) => sameKey(keyIn(each, type.id.column), key, wrong))
    if (row === undefined) return null
    return wrong('autocommits whatever the conditions are') || meets(row, conditions, context) ? row : null
  }
  /** The values with keys as in rows; `null` if a row that they refer to is missing. */
  const referring = (
    values: ColumnValues,
    references: readonly RowReference[],
    context: RequestContext,
  ): ColumnValues | null => {
    const keys: Record<string, unknown> = {}
    for (const { column, type, conditions } of references) {
      const key = values[column] ?? null
      if (key === null) continue
      const row = rowOf(type, key, { conditions, context })
      if (row === null && !wrong('autocommits whatever the rows refer to')) return null
      keys[column] = row === null ? null : keyIn(row, type.id.column)
    }
    return { ...values, ...keys }
  }
  /** Undoes what a write has done if the store refuses it. */
  const orNull = <Result>(work: () => Result, transaction: Transaction | null = null): Result | null => {
    if (wrong('autocommits nothing')) return null
    const tables = tablesIn(transaction)
    const before = new Map(tables)
    try {
      return work()
    } catch (thrown) {
      if (!isStoreConflict(thrown) || wrong('throws conflicts of writes that it autocommits')) throw thrown
      for (const [name, rows] of before) tables.set(name, rows)
      return null
    }
  }
  /** Undoes an insert if one of the rows does not meet the conditions as it is stored. */
  const checked = (
    { transaction, conditions, context }: Conditional & Pick<WriteContext, 'transaction'>,
    insert: () => object | null,
  ): object | null => {
    const before = new Map(tablesIn(transaction))
    const made = insert()
    const rows = (Array.isArray(made) ? made : [made]) as readonly (StoredRow | null)[]
    const areMet = rows.every((row) => row === null || meets(row, conditions, context))
    if (areMet || wrong('autocommits whatever the conditions are')) return made
    for (const [name, stored] of before) tablesIn(transaction).set(name, stored)
    return null
  }
  return {
    create: {
      insteadOf: create,
      acceptsScopes: true,
      checksRows: true,
      many: (type, rows, write) =>
        checked({ conditions: [], ...write }, () => many(type, rows, write)) as readonly object[] | null,
      autocommit(type, values, { references, conditions, context }) {
        const known = referring(values, references, context)
        if (known === null) return null
        const insert = (): object => create(type, known, writing(context))
        return orNull(() => checked({ transaction: null, conditions, context }, insert))
      },
      autocommitMany(type, rows, { references, conditions, context }) {
        const known = rows.map((values) => referring(values, references, context))
        const complete = known.filter((values) => values !== null)
        const isPartial = wrong('autocommits some of the rows')
        if (complete.length < known.length && !isPartial) return null
        const insert = (): object | null => many(type, complete, writing(context))
        const made = orNull(() => checked({ transaction: null, conditions, context }, insert))
        return complete.length < known.length ? null : (made as readonly object[] | null)
      },
    },
    update: {
      insteadOf: update,
      acceptsScopes: true,
      joinsTransactions: true,
      raisesVersions: true,
      autocommit(type, key, values, { references, conditions, context, transaction, raises }) {
        const row = rowOf(type, key, { conditions, context, transaction })
        const known = referring(values, references, context)
        if (row === null || known === null) return null
        const raised = raises === null || wrong('raises no versions') ? {} : { [raises]: Number(row[raises] ?? 0) + 1 }
        const write = writing(context, transaction)
        return orNull(() => update(type, keyIn(row, type.id.column), { ...known, ...raised }, write), transaction)
      },
    },
    delete: {
      insteadOf: remove,
      acceptsScopes: true,
      autocommit(type, key, { conditions, context }) {
        const row = rowOf(type, key, { conditions, context })
        if (row === null) return null
        return orNull(() => (remove(type, keyIn(row, type.id.column), writing(context)) === true ? row : null))
      },
    },
    mutateRelationship: {
      insteadOf: mutateRelationship,
      acceptsScopes: true,
      autocommit(relation, { kind, owner, type, members }, { context, ownerConditions, memberConditions }) {
        const row = rowOf(relation.owner, owner, { conditions: ownerConditions, context })
        const rows = members.map((key) => rowOf(type, key, { conditions: memberConditions, context }))
        if (row === null || rows.includes(null)) return false
        const keys = rows.map((each) => ({ type: type.type, key: keyIn(each ?? {}, type.id.column), values: {} }))
        const change = { added: kind === 'add' ? keys : [], updated: [], removed: kind === 'add' ? [] : keys }
        return orNull(() => [mutateRelationship(relation, row, change, writing(context))]) !== null
      },
    },
  }
}
