import type { LiveColumn } from './live-schema.js'
import type { ColumnNaming, TableColumn } from './table-model.js'

/** Converts `releasedAt` to `released_at` and `imageURL` to `image_url`. `line2` stays unchanged. */
export function snakeCase(property: string): string {
  return property
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

/** Converts `released_at` and `released at` to `releasedAt`. Leading and trailing underscores stay. */
export function camelCase(name: string): string {
  return name.replaceAll(/(?<=[^_\s-])[_\s-]+([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())
}

/** A table, as far as it determines the names of its columns. */
interface NamingTable {
  readonly naming: ColumnNaming
  readonly columns: ReadonlyMap<string, TableColumn>
}

/** Returns the name of the column of a member: the one that the model declares, else the one by the naming. */
export function columnName({ naming, columns }: NamingTable, member: string): string {
  return columns.get(member)?.name ?? (naming === 'snake_case' ? snakeCase(member) : member)
}

/** Removes separators and case, so that names which differ only in how words are separated become equal. */
function normalizedName(name: string): string {
  return name.replaceAll(/[_\s-]/g, '').toLowerCase()
}

/** The declared members of a row, before the columns of the database are known. */
export interface NamedMembers {
  readonly naming: ColumnNaming
  /** The column names that the model declares, by member. */
  readonly declared: ReadonlyMap<string, string>
  /** The members that declarations use. */
  readonly wanted: Iterable<string>
}

/**
 * Maps each column name to the member of the row that the column fills. Declared members go first, because their names
 * may differ from what the naming would derive, as `imageURL` for `image_url`. A column whose member is already filled
 * by another column is left out.
 */
export function namedColumns(
  columns: readonly LiveColumn[],
  { naming, declared: given, wanted }: NamedMembers,
): ReadonlyMap<string, string> {
  const names = new Set(columns.map(({ name }) => name))
  const memberOf = new Map<string, string>()
  const taken = new Set(given.keys())
  for (const [member, name] of given) {
    if (names.has(name)) memberOf.set(name, member)
  }
  const claim = (member: string, name: string | undefined): void => {
    if (name === undefined || !names.has(name) || memberOf.has(name) || taken.has(member)) return
    memberOf.set(name, member)
    taken.add(member)
  }
  const members = [...new Set(wanted)]
  for (const member of members) claim(member, member)
  if (naming === 'snake_case') {
    const remaining = (): readonly string[] => members.filter((member) => !taken.has(member))
    for (const member of remaining()) claim(member, snakeCase(member))
    for (const member of remaining()) claim(member, similarColumn(member, columns))
  }
  for (const { name } of columns) claim(naming === 'snake_case' ? camelCase(name) : name, name)
  return memberOf
}

/** Returns the only column whose name equals a member's except for case, underscores, spaces and hyphens. */
export function similarColumn(member: string, columns: readonly LiveColumn[]): string | undefined {
  const wanted = normalizedName(member)
  const alike = columns.filter(({ name }) => normalizedName(name) === wanted)
  return alike.length === 1 ? alike[0]?.name : undefined
}
