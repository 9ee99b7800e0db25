import type { CompiledType } from '../../../resource/compiled-type.js'
import type { FilterSpec, FilterSpecs } from '../../../resource/filters/filter-spec.js'
import { keyColumns } from '../../../resource/key-columns.js'
import { endColumn } from '../../../resource/reading/flattened-chain.js'
import type { SortSpec, SortSpecs } from '../../../resource/sorts/sort-spec.js'

/** A column that a declared filter or sort compares. */
export interface QueriedColumn {
  /** The type whose rows have the column. */
  readonly type: CompiledType
  readonly property: string
  /** The filter or the sort, for messages. */
  readonly neededBy: string
}

type TypeNamed = ReadonlyMap<string, CompiledType>

/** A name of a row that a filter or a sort refers to, after a path of relations. */
interface QueriedName {
  readonly path: readonly string[]
  readonly name: string
}

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

interface Queries {
  readonly filters: FilterSpecs
  readonly sorts: SortSpecs
  readonly owner: string
}

function columnsOf(
  type: CompiledType,
  { filters, sorts, owner }: Queries,
  typeNamed: TypeNamed,
): readonly QueriedColumn[] {
  const named = [
    ...Object.entries(filters).map(([key, filter]) => ['filter', key, filterNames(key, filter)] as const),
    ...Object.entries(sorts).map(([key, sort]) => ['sort', key, sortNames(key, sort)] as const),
  ]
  return named.flatMap(([kind, key, names]) =>
    names.flatMap(({ path, name }) => {
      const end = typeAfter(path, type, typeNamed)
      const neededBy = `the ${kind} '${key}' of ${owner}`
      return end === null ? [] : columnsNamed(end, name).map((property) => ({ type: end, property, neededBy }))
    }),
  )
}

function filterNames(key: string, { test }: FilterSpec): readonly QueriedName[] {
  switch (test.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return [nameInRow(test.column ?? key)]
    case 'through':
      return [nameAtEnd(test.path ?? key)]
    case 'all':
    case 'any':
      return Object.entries(test.filters).flatMap(([member, filter]) => filterNames(member, filter))
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

function sortNames(key: string, sort: SortSpec): readonly QueriedName[] {
  switch (sort.kind) {
    case 'field':
      return [nameInRow(sort.column ?? key)]
    case 'through':
      return [nameAtEnd(sort.path ?? key)]
    case 'custom':
      return []
  }
}

function nameInRow(name: string): QueriedName {
  return { path: [], name }
}

function nameAtEnd(text: string): QueriedName {
  const names = text.split('.')
  return { path: names.slice(0, -1), name: names.at(-1) ?? '' }
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
