import { pointer } from '../../../core/document/json-pointer.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { columnsOfField } from '../../../declare/resource/compiled/unique-sets.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import type { ResourceDocument } from '../document/resource-document.js'
import type { WritableMembers } from '../document/writable-members.js'

/** A row that a body writes: the row of the resource, or a related row that flattened attributes are stored in. */
export interface DocumentRow {
  readonly served: ServedType
  /** The stored row; `null` for a new one. */
  readonly row: RowObject | null
  /** The columns that are set. */
  readonly values: ColumnValues
  /** The client-generated id; `null` if there is none. */
  readonly clientId: string | null
  readonly pointers: ColumnPointers
}

/** Finds the members of a body that set columns of a row. */
export interface ColumnPointers {
  readonly pointerTo: PointerOfColumns
  /** Returns the member that sets a column or could have set it; `null` if no member can. */
  memberAt(column: string): DocumentMember | null
  /** Returns the linkage that sets any of the columns. */
  linkageOf(columns: readonly string[]): readonly SentLinkageChange[]
}

/** Returns the JSON pointer to the member that sets the first of some columns that the body sets. */
export type PointerOfColumns = (columns: readonly string[]) => string

export interface DocumentMember {
  readonly pointer: string
  /** The sent value; `undefined` if the body does not have the member. */
  readonly sent: unknown
}

/** The new members of a relation in a body, with their JSON pointers. */
export type SentLinkageChange = Pick<LinkageChange, 'relation' | 'pointer' | 'added'>

interface SentMembers {
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  readonly changes: readonly SentLinkageChange[]
}

/**
 * Finds the members of a resource document. The pointer for columns that only hooks have set is that of the resource
 * object.
 */
export function pointersInDocument(type: CompiledType, { document, writable, changes }: SentMembers): ColumnPointers {
  const { attributes } = document
  const sent = writable.attributes.filter(({ name }) => Object.hasOwn(attributes, name))
  const holds = ({ name }: { readonly name: string }, columns: readonly string[]): boolean =>
    columnsOfField(type, name).some((column) => columns.includes(column))
  const linkageOf = (columns: readonly string[]): readonly SentLinkageChange[] =>
    changes.filter(({ relation }) => holds(relation, columns))
  return {
    linkageOf,
    pointerTo(columns) {
      const [attribute] = columns.flatMap((column) => sent.find((each) => each.column === column) ?? [])
      if (attribute !== undefined) return pointer('data', 'attributes', attribute.name)
      return linkageOf(columns)[0]?.pointer ?? pointer('data')
    },
    memberAt(column) {
      for (const { name, spec, column: attributeColumn } of writable.attributes) {
        const member = { pointer: pointer('data', 'attributes', name), sent: attributes[name] }
        const found = attributeColumn === column ? member : childAt(spec, column, member)
        if (found !== null) return found
      }
      const [change] = linkageOf([column])
      if (change !== undefined)
        return { pointer: change.pointer, sent: change.added.length === 0 ? null : change.added }
      const relation = writable.relations.find((each) => holds(each, [column]))
      return relation === undefined
        ? null
        : { pointer: pointer('data', 'relationships', relation.name), sent: undefined }
    },
  }
}

/**
 * Returns the member of a map that sets a column. The children of a map are columns of the row, even if maps are
 * nested.
 */
function childAt(
  { kind, children }: AttributeSpec,
  column: string,
  { pointer: at, sent }: DocumentMember,
): DocumentMember | null {
  if (kind.children !== 'columns') return null
  for (const [name, child] of Object.entries(children)) {
    const member = { pointer: `${at}${pointer(name)}`, sent: isPlainObject(sent) ? sent[name] : sent }
    const isColumn = child.kind.children !== 'columns' && (child.storedAs ?? name) === column
    const found = isColumn ? member : childAt(child, column, member)
    if (found !== null) return found
  }
  return null
}

/** Finds the members of a body that consists of linkage only. */
export function pointersInLinkage(change: SentLinkageChange): ColumnPointers {
  const { pointer: at, added } = change
  return {
    pointerTo: () => at,
    memberAt: () => ({ pointer: at, sent: added.length === 0 ? null : added }),
    linkageOf: () => [change],
  }
}
