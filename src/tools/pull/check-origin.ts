import type { Plan } from './plan/plan.js'
import type { PullRecord } from './pull-record.js'
import type { DatabaseSchema } from '../../stores/sql/schema/database-schema.js'
import type { Origin } from '../../stores/sql/dialect/pull-rules.js'
import { OpenError } from '../../stores/sql/dialect/pull-rules.js'
import { plainName } from './read/plain-name.js'
import { pullEngines } from './read/pull-engines.js'

interface OriginCheck {
  readonly origin: Origin
  readonly schema: DatabaseSchema
  readonly plan: Plan
  readonly last: PullRecord | null
  /** The directory of the declarations, for the message. */
  readonly directory: string
}

/**
 * Throws an `OpenError` if the database cannot be the one that is meant: it has no tables, none that can be served, or others than the
 * database of the last pull. Such a pull would remove all declarations.
 */
export function checkOrigin({ origin, schema, plan, last, directory }: OriginCheck): void {
  const place = `${schema.schema === null ? '' : `schema '${schema.schema}' of the `}database '${origin.name}'`
  if (schema.tables.length === 0) {
    throw new OpenError(`The ${place} has no tables. Nothing is changed.${pullEngines[origin.engine].withoutTables}`)
  }
  const other = last?.database == null ? null : differenceOf(last.database, origin, schema)
  if (other !== null) {
    throw new OpenError(
      `'${directory}' was pulled from another database, '${last?.database?.name}': the ${place} ${other}. Nothing is changed. ` +
        `To pull another database, name another directory with --output. If it replaces the old one, remove "database" from pulled.json.`,
    )
  }
  if (plan.types.length === 0) {
    const reasons = plan.notes.map(({ subject, sentence }) => `\n  - ${subject}: ${sentence}`)
    throw new OpenError(`No table can be served:${reasons.join('')}\nNothing is changed.`)
  }
}

/** Returns how a database differs from that of the last pull. Null if it can be the same, or a copy with another name. */
function differenceOf(
  last: NonNullable<PullRecord['database']>,
  { engine, name }: Origin,
  { tables }: DatabaseSchema,
): string | null {
  if (engine !== last.engine) return `is in ${pullEngines[engine].title}, not in ${pullEngines[last.engine].title}`
  // The names begin with the schema if the pull, or the last one, was of several schemas.
  const present = new Set(
    tables.flatMap((table) => [table.name, plainName(table), `${table.schema}.${plainName(table)}`]),
  )
  const [missing, ...others] = last.tables.filter((table) => !present.has(table))
  if (missing === undefined) return null
  if (others.length + 1 === last.tables.length) return `has none of its ${last.tables.length} tables`
  return name === last.name
    ? null
    : `lacks ${others.length + 1} of its ${last.tables.length} tables, such as '${missing}'`
}
