import { sql } from 'kysely'
import type { RelatedCriteria } from '../../../resource/capabilities/provider.js'
import type { RelationLink } from '../../../resource/relations/relation-link.js'
import type { RowSet } from '../../../rows/row-set.js'
import { partsOf } from '../schema/composite-column.js'
import type { SqlStore } from '../sql-store.js'
import { linkReader, parentKeys, readParents } from './parent-keys.js'
import { linkColumns, relatedSource } from './related-source.js'
import { sqlConditions } from './sql-conditions.js'
import { allOf, where } from './sql-parts.js'
import { freshAliases, statementBuild } from './statement-build.js'

type CountedCriteria = Pick<RelatedCriteria, 'conditions' | 'conditionsOf' | 'transaction' | 'context'>

/** Counts the members of each parent, with one grouped statement for each type. */
export async function countRelated(
  store: SqlStore,
  relation: RelationLink,
  parents: RowSet,
  criteria: CountedCriteria,
): Promise<readonly number[]> {
  const counts = await Promise.all(
    relation.targets.map((_, position) => countOfType(store, { relation, position, parents }, criteria)),
  )
  return parents.rows.map((_, parent) => counts.reduce((sum, ofType) => sum + (ofType[parent] ?? 0), 0))
}

interface CountedType {
  readonly relation: RelationLink
  readonly position: number
  readonly parents: RowSet
}

async function countOfType(
  store: SqlStore,
  { relation, position, parents }: CountedType,
  { conditions, conditionsOf, transaction, context }: CountedCriteria,
): Promise<readonly number[]> {
  const build = statementBuild(store, await store.tables(), context)
  const source = relatedSource(relation, position, build)
  const keys = parentKeys(parents, source, store.dialect)
  if (keys.distinct.length === 0) return []
  build.shape.describe('count', source.table, `${relation.owner.type}.${relation.name}`)
  build.shape.addKeyPart('counted')
  const condition = allOf([
    readParents(keys, source, build),
    ...source.conditions,
    sqlConditions([...conditions, ...(conditionsOf.get(source.type.type) ?? [])], source, build),
  ])
  const statement = store.statements.statement(build.shape, () => {
    const fresh = freshAliases()
    const at = { row: fresh(), pivot: source.pivot === null ? null : fresh(), fresh }
    const link = linkColumns(source, at)
    const query = sql`select ${link}, count(*) from ${source.from(at)}${where(condition)(at)} group by ${link}`
    return { compile: () => query.compile(store.builder) }
  })
  const { rows } = await store.read(statement, { transaction, context })
  const width = partsOf(source.link).length
  const linkOf = linkReader(
    source,
    Array.from({ length: width }, (_, index) => index),
  )
  const counts = new Map(rows.map((row) => [linkOf(row), Number(row[width])]))
  return keys.ofParent.map((link) => (link === null ? 0 : (counts.get(link) ?? 0)))
}
