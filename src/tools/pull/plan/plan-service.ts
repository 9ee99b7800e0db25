import type { DatabaseSchema, SchemaColumn } from '../../../stores/sql/schema/database-schema.js'
import { type JoinTable, joinTables } from './join-tables.js'
import type { Plan, PullNote, SecretColumn } from './plan.js'
import { planFields } from './plan-fields.js'
import { planJoin } from './plan-join.js'
import { relationKeys } from './plan-relations.js'
import { planType } from './plan-type.js'
import { namedRelations } from './named-relations.js'
import { withNamedReferences } from './named-references.js'
import { polymorphicKeys } from './plan-polymorphic.js'
import { secretColumns } from './secret-columns.js'
import { servedTables } from './served-tables.js'
import { namedTables } from './type-names.js'
import type { Casing } from './words.js'

export interface PlanOptions {
  readonly casing: Casing
  /** The names of excluded tables. */
  readonly excluded: readonly string[]
  /** Whether columns that are only named like references become relations too. */
  readonly relatesByName: boolean
}

/** Plans the declarations of all tables that can be served. The same schema always gives the same plan. */
export function planService(database: DatabaseSchema, { casing, excluded, relatesByName }: PlanOptions): Plan {
  const secrets = secretColumns(database.tables)
  const tables = relatesByName ? withNamedReferences(database.tables, secrets) : database.tables
  const schema = { ...database, tables }
  const { served, notes: unserved } = servedTables(schema, { excluded, secrets })
  const joins = joinTables(served)
  const { keys, notes: unrelated } = relationKeys({ tables: served, joins, secrets })
  const names = namedTables(served, joins, casing)
  const typed = served.filter((table) => !joins.some((join) => join.served === table))
  const typeValues = relatesByName ? schema.typeValues : new Map<string, readonly string[]>()
  const { keys: polymorphic, storedTypes, notes: uncertain } = polymorphicKeys({ tables: typed, secrets, typeValues })
  const context = { schema, casing, served, joins, keys, polymorphic, storedTypes, names, secrets }
  const fields = planFields(context)
  const types = typed.map((table) => planType(table, { ...context, fields }))
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
    notes: [
      ...unserved,
      ...joinNotes,
      ...unrelated,
      ...uncertain,
      ...namedRelations(context),
      ...types.flatMap(({ notes }) => notes),
    ],
    secrets: [...types.flatMap((type) => type.secrets), ...joins.flatMap((join) => joinSecrets(join, secrets))],
  }
}

function joinSecrets({ served: { table } }: JoinTable, secrets: ReadonlySet<SchemaColumn>): readonly SecretColumn[] {
  const hidden = table.columns.filter((column) => secrets.has(column))
  return hidden.map(({ name }) => ({ table: table.name, column: name, attribute: null, isNeeded: false }))
}
