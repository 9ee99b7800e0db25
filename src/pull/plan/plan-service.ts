import type { DatabaseSchema, SchemaColumn } from '../../data/sql/schema/database-schema.js'
import { type JoinTable, joinTables } from './join-tables.js'
import type { Plan, PullNote, SecretColumn } from './plan.js'
import { planFields } from './plan-fields.js'
import { planJoin } from './plan-join.js'
import { relationKeys } from './plan-relations.js'
import { planType } from './plan-type.js'
import { secretColumns } from './secret-columns.js'
import { servedTables } from './served-tables.js'
import { namedTables } from './type-names.js'
import type { Casing } from './words.js'

export interface PlanOptions {
  readonly casing: Casing
  /** The names of excluded tables. */
  readonly excluded: readonly string[]
}

/** Plans the declarations of all tables that can be served. The same schema always gives the same plan. */
export function planService(schema: DatabaseSchema, { casing, excluded }: PlanOptions): Plan {
  const secrets = secretColumns(schema.tables)
  const { served, notes: unserved } = servedTables(schema, { excluded, secrets })
  const joins = joinTables(served)
  const { keys, notes: unrelated } = relationKeys({ tables: served, joins, secrets })
  const names = namedTables(served, joins, casing)
  const context = { schema, casing, served, joins, keys, names, secrets }
  const fields = planFields(context)
  const types = served
    .filter((table) => !joins.some((join) => join.served === table))
    .map((table) => planType(table, { ...context, fields }))
  const joinNotes = joins.map(({ served: { table }, sides }): PullNote => {
    const [one, other] = sides.map((side) => `'${side.table}'`)
    return {
      kind: 'note',
      subject: table.name,
      sentence: `Its rows join ${one} and ${other}: it is a relation of both.`,
    }
  })
  return {
    engine: schema.engine,
    schema: schema.schema,
    hasSpacedInstants: schema.hasSpacedInstants,
    types: types.map(({ planned }) => planned),
    joins: joins.map((join) => planJoin(join, context)),
    waivers: Object.fromEntries(types.flatMap(({ waivers }) => waivers)),
    notes: [...unserved, ...joinNotes, ...unrelated, ...types.flatMap(({ notes }) => notes)],
    secrets: [...types.flatMap((type) => type.secrets), ...joins.flatMap((join) => joinSecrets(join, secrets))],
  }
}

function joinSecrets({ served: { table } }: JoinTable, secrets: ReadonlySet<SchemaColumn>): readonly SecretColumn[] {
  const hidden = table.columns.filter((column) => secrets.has(column))
  return hidden.map(({ name }) => ({ table: table.name, column: name, attribute: null, isNeeded: false }))
}
