import type { Constraint } from '../../../resource/fields/constraint.js'
import type { SqlFinding } from '../finding.js'
import { finding } from '../finding.js'
import type { FoundColumn } from './fitting-kinds.js'
import type { LiveColumn } from './live-schema.js'
import { tableText } from './table-model.js'
import type { WantedMember, WantedTable } from './wanted-tables.js'

/** Reports the members whose values the database would refuse to store in their column, whatever a client sends. */
export function unwritableColumns(
  want: WantedTable,
  columnOf: ReadonlyMap<string, FoundColumn>,
): readonly SqlFinding[] {
  return want.members.flatMap((member) => {
    const column = columnOf.get(member.property)
    if (column === undefined || member.neededBy === null) return []
    const named = `The column '${column.live.name}' of the table '${tableText(want.tableName)}'`
    return [...generated(member, column.live, named), ...foreignLabels(member, column, named)]
  })
}

/** An identity column takes a value on insert, and never on update. */
function generated(
  { subject, neededBy, writtenBy }: WantedMember,
  live: LiveColumn,
  named: string,
): readonly SqlFinding[] {
  const onCreate = writtenBy.onCreate && live.generated === 'expression'
  const onUpdate = writtenBy.onUpdate && live.generated !== undefined
  if (!onCreate && !onUpdate) return []
  const remedy = live.generated === 'identity' ? 'readOnlyOnUpdate()' : 'readOnly()'
  return [
    finding(
      'generated-column',
      subject,
      `${named} is generated always, and ${neededBy} would write to it: call ${remedy}, or name another column.`,
    ),
  ]
}

/** Reports values that an attribute allows and the enumeration type of its column does not have. */
function foreignLabels(member: WantedMember, { live, declaration }: FoundColumn, named: string): readonly SqlFinding[] {
  const { spec, subject, neededBy, writtenBy } = member
  const isWritten = writtenBy.onCreate || writtenBy.onUpdate
  const isMapped = spec?.deserialize !== null || declaration?.mapping !== undefined
  if (spec === null || live.labels === undefined || !isWritten || isMapped) return []
  const { labels } = live
  const others = spec.constraints.flatMap(listedValues).filter((value) => !labels.includes(String(value)))
  if (others.length === 0) return []
  return [
    finding(
      'enum-values',
      subject,
      `${named} has the type '${live.databaseType}', which has no ${quoted(others)}, and ${neededBy} allows it: list only ${quoted(labels)} in in() or enum().`,
    ),
  ]
}

/** Returns the values of `in()` and `enum()`. Null is stored as null, not as a label. */
function listedValues(constraint: Constraint): readonly unknown[] {
  if (constraint.kind !== 'schema' || constraint.name !== 'in') return []
  const values: unknown = constraint.schema['enum']
  return Array.isArray(values) ? values.filter((value: unknown) => value !== null) : []
}

function quoted(values: readonly unknown[]): string {
  return [...new Set(values)].map((value) => `'${String(value)}'`).join(', ')
}
