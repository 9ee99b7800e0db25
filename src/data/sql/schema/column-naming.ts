import type { LiveColumn } from './live-schema.js'
import type { ColumnNaming } from './table-model.js'

/** `releasedAt` is `released_at`, `imageURL` is `image_url`, `line2` stays. */
export function snakeCase(property: string): string {
  return property
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

/** `released_at` is `releasedAt`. Underscores at either end stay. */
export function camelCase(name: string): string {
  return name.replaceAll(/(?<=[^_])_+([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())
}

/** What names that differ only in how words are set apart have in common. */
function letters(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** What is known of the members of a row before the database is asked. */
export interface NamedMembers {
  readonly naming: ColumnNaming
  /** Columns by the member that the model gives them to. */
  readonly given: ReadonlyMap<string, string>
  /** Members that declarations speak of. */
  readonly wanted: Iterable<string>
}

/**
 * The member of the row that each column fills, by the name of the column. What is declared goes first: names differ from
 * what the naming would make of them, as `imageURL` for `image_url`. A column whose member another one fills has none.
 */
export function namedColumns(
  columns: readonly LiveColumn[],
  { naming, given, wanted }: NamedMembers,
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
    for (const member of members) claim(member, snakeCase(member))
    for (const member of members) claim(member, onlyLike(member, columns))
  }
  for (const { name } of columns) claim(naming === 'snake_case' ? camelCase(name) : name, name)
  return memberOf
}

/** The one column that is called like a member but for underscores and cases. */
export function onlyLike(member: string, columns: readonly LiveColumn[]): string | undefined {
  const alike = columns.filter(({ name }) => letters(name) === letters(member))
  return alike.length === 1 ? alike[0]?.name : undefined
}
