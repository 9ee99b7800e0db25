import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { FilterSpec } from '../../../declare/resource/filters/filter-spec.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { endColumn } from '../../../declare/resource/reading/flattened-chain.js'
import type { SortSpec } from '../../../declare/resource/sorts/sort-spec.js'

/** A column that a declared filter or sort compares. */
export interface QueriedColumn {
  /** The type whose rows have the column. */
  readonly type: CompiledType
  readonly property: string
  /** The filter or the sort, for messages. */
  readonly neededBy: string
}

type TypeNamed = ReadonlyMap<string, CompiledType>

/** A path of relations to a row, and then the name of a member there. */
type QueriedPath = readonly string[]

/**
 * Returns the columns that the filters and sorts of a type use, and those of its relations, which apply to related
 * rows. Whether they exist is known only from the database. The fields of join rows are required by their relation.
 */
export function queriedColumns(type: CompiledType, typeNamed: TypeNamed): readonly QueriedColumn[] {
  const ofRelations = type.relations
    .filter(({ spec }) => !spec.traits.polymorphic)
    .flatMap(({ name, spec }) => {
      const target = typeNamed.get(spec.targets[0] ?? '')
      const owner = `the relation '${name}' of '${type.type}'`
      return target === undefined ? [] : columnsOf(target, { ...spec, owner }, typeNamed)
    })
  return [...columnsOf(type, { ...type, owner: `'${type.type}'` }, typeNamed), ...ofRelations]
}

function columnsOf(
  type: CompiledType,
  { filters, sorts, owner }: Pick<CompiledType, 'filters' | 'sorts'> & { readonly owner: string },
  typeNamed: TypeNamed,
): readonly QueriedColumn[] {
  const named = [
    ...Object.entries(filters).map(([key, filter]) => ['filter', key, filterPaths(key, filter)] as const),
    ...Object.entries(sorts).map(([key, sort]) => ['sort', key, sortPaths(key, sort)] as const),
  ]
  return named.flatMap(([kind, key, paths]) =>
    paths.flatMap((path) => {
      const end = typeAfter(path.slice(0, -1), type, typeNamed)
      const neededBy = `the ${kind} '${key}' of ${owner}`
      const properties = end === null ? [] : columnsNamed(end, path.at(-1) ?? '')
      return end === null ? [] : properties.map((property) => ({ type: end, property, neededBy }))
    }),
  )
}

function filterPaths(key: string, { test }: FilterSpec): readonly QueriedPath[] {
  switch (test.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return [[test.column ?? key]]
    case 'through':
      return [(test.path ?? key).split('.')]
    case 'all':
    case 'any':
      return Object.entries(test.filters).flatMap(([member, filter]) => filterPaths(member, filter))
    case 'search':
      return test.fields.map(({ name }) => [name])
    case 'idIn':
    case 'has':
    case 'custom':
    case 'composed':
    case 'trashed':
    // Only rules of policies have these.
    case 'missing':
    case 'not':
    case 'granted':
      return []
  }
}

function sortPaths(key: string, sort: SortSpec): readonly QueriedPath[] {
  switch (sort.kind) {
    case 'field':
      return [[sort.column ?? key]]
    case 'through':
      return [(sort.path ?? key).split('.')]
    case 'relevance':
    case 'custom':
      return []
  }
}

/** Returns the type at the end of a path of to-one relations; null if a relation is unknown. */
export function typeAfter(path: readonly string[], type: CompiledType, typeNamed: TypeNamed): CompiledType | null {
  let end: CompiledType | undefined = type
  for (const hop of path) end = typeNamed.get(end?.relationNamed.get(hop)?.spec.targets[0] ?? '')
  return end ?? null
}

/** Returns no columns for attributes without a column of the row, and for fields of join rows. */
function columnsNamed(type: CompiledType, name: string): readonly string[] {
  const attribute = type.attributeNamed.get(name)
  if (attribute?.column === null || name.startsWith('pivot.')) return []
  return keyColumns(endColumn(type, name))
}
