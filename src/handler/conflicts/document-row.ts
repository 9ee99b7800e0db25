import { pointer } from '../../document/json-pointer.js'
import type { ColumnValues } from '../../resource/capabilities/persister.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { columnsOf } from '../../resource/unique-sets.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import type { ResourceDocument } from '../steps/resource-document.js'
import type { WritableMembers } from '../steps/writable-members.js'

/** A row that a body writes, its own or one that flattened attributes lead to. */
export interface DocumentRow {
  readonly served: ServedType
  /** What is stored, `null` for a new row. */
  readonly row: RowObject | null
  /** The columns that are set. */
  readonly values: ColumnValues
  /** The id that the client chose for it. */
  readonly clientId: string | null
  readonly placeOf: PlaceOf
}

/** Where the body says what some columns hold. The first of them that it says anything of is meant. */
export type PlaceOf = (columns: readonly string[]) => string

interface SentMembers {
  readonly document: ResourceDocument
  readonly writable: Pick<WritableMembers, 'attributes'>
  readonly changes: readonly Pick<LinkageChange, 'relation' | 'pointer'>[]
}

/** A pointer leads to what is in the body: what only hooks have written, the resource object as a whole stands for. */
export function placesIn(type: CompiledType, { document, writable, changes }: SentMembers): PlaceOf {
  const sent = writable.attributes.filter(({ name }) => Object.hasOwn(document.attributes, name))
  return (columns) => {
    const [attribute] = columns.flatMap((column) => sent.find((each) => each.column === column) ?? [])
    if (attribute !== undefined) return pointer('data', 'attributes', attribute.name)
    const linkage = changes.find(({ relation }) => {
      return columnsOf(type, relation.name).some((column) => columns.includes(column))
    })
    return linkage?.pointer ?? pointer('data')
  }
}
