import { thrownMessage } from '../../core/errors/describe-thrown.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { FilterSpec, SearchedField } from '../../declare/resource/filters/filter-spec.js'
import type { SearchRules } from './dialect/search-rules.js'
import type { SqlDriver } from './driver/sql-driver.js'
import { readRows } from './driver/sql-statement.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { quotedNames, servedTables, storedNames } from './inspected-store.js'
import type { SqlTable } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

/** A search of a type, and the index that it needs. */
interface DeclaredSearch {
  /** `albums.q` */
  readonly subject: string
  readonly table: SqlTable
  /** The names of the columns in the database; null if one of them is computed there. */
  readonly columns: readonly string[] | null
  readonly isIndexed: boolean
  /** Whether clients sort by its relevance. */
  readonly isRanked: boolean
}

/** Reports searches that have no index, with the statements that create it. */
export function searchAdvice(store: InspectedStore): readonly SqlFinding[] {
  const { search } = store.dialect
  if (search === null) return []
  return declaredSearches(store, search).flatMap(({ subject, table, columns, isIndexed, isRanked }) => {
    if (isIndexed || columns === null || table.live.isView) return []
    const statements = search.indexStatements(table.live, columns, isRanked).map((each) => `\n${each};`)
    const sentence = `The table '${tableText(table)}' has no search index on ${quotedNames(columns)}, so the filter '${subject}' reads all rows. Create it in a new migration:${statements.join('')}`
    return [finding('search-index', subject, sentence)]
  })
}

/** Reports searches that the database cannot run at all. */
export async function searchProblems(driver: SqlDriver, store: InspectedStore): Promise<readonly string[]> {
  const { search } = store.dialect
  // The build has refused its searches.
  if (search === null) return []
  const { probe, remedy, needsIndexOnly } = search
  const searches = declaredSearches(store, search).filter(({ isIndexed }) => !isIndexed || !needsIndexOnly)
  if (searches.length === 0) return []
  try {
    await readRows(driver, probe)
    return []
  } catch (thrown) {
    const subjects = searches.map(({ subject }) => `'${subject}'`).join(', ')
    return [`The database cannot search for ${subjects}: ${thrownMessage(thrown)}. ${remedy}`]
  }
}

function declaredSearches(store: InspectedStore, search: SearchRules): readonly DeclaredSearch[] {
  const served = new Map(servedTables(store).map((each) => [each.type.type, each]))
  return [...served.values()].flatMap(({ type, table }) => [
    ...searchesIn(type.type, type, { type, table }, search),
    ...type.relations.flatMap(({ name, spec }) => {
      const target = served.get(spec.targets[0] ?? '')
      if (target === undefined || spec.traits.polymorphic) return []
      return searchesIn(`${type.type}.${name}`, spec, target, search)
    }),
  ])
}

/** Returns the searches among the filters of a type or a relation, in the rows of a type. */
function searchesIn(
  owner: string,
  { filters, sorts }: Pick<CompiledType, 'filters' | 'sorts'>,
  { type, table }: ServedTable,
  search: SearchRules,
): readonly DeclaredSearch[] {
  return Object.entries(filters).flatMap(([key, spec]) =>
    fieldsIn(spec).map((fields): DeclaredSearch => {
      const members = fields.map(({ name }) => type.attributeNamed.get(name)?.column ?? name)
      const columns = storedNames(table, members)
      const isIndexed = columns !== null && search.hasIndex(table.live, columns)
      const isRanked = Object.values(sorts).some((sort) => sort.kind === 'relevance' && sort.filter === key)
      return { subject: `${owner}.${key}`, table, columns, isIndexed, isRanked }
    }),
  )
}

/** Returns the fields of each search in a filter, which may be a group. */
function fieldsIn({ test }: FilterSpec): readonly (readonly SearchedField[])[] {
  if (test.kind === 'all' || test.kind === 'any') return Object.values(test.filters).flatMap(fieldsIn)
  return test.kind === 'search' ? [test.fields] : []
}
