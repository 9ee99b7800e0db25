import { pointer } from '../../document/json-pointer.js'
import type { ColumnValues } from '../../resource/capabilities/persister.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { columnsOfField } from '../../resource/unique-sets.js'
import { isPlainObject } from '../../util/deep-freeze.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import type { ResourceDocument } from '../document/resource-document.js'
import type { WritableMembers } from '../document/writable-members.js'

/** A row that a body writes, its own or one that flattened attributes lead to. */
export interface DocumentRow {
  readonly served: ServedType
  /** What is stored, `null` for a new row. */
  readonly row: RowObject | null
  /** The columns that are set. */
  readonly values: ColumnValues
  /** The id that the client chose for it. */
  readonly clientId: string | null
  readonly pointers: ColumnPointers
}

/** Where a body says what columns of a row hold. */
export interface ColumnPointers {
  readonly pointerTo: PointerOfColumns
  /** Where it says what one column holds, or could have said it; `null` where none of its members can. */
  memberAt(column: string): DocumentMember | null
  /** The linkage that it sets some of the columns by. */
  linkageOf(columns: readonly string[]): readonly SentLinkageChange[]
}

/** Where the body says what some columns hold. The first of them that it says anything of is meant. */
export type PointerOfColumns = (columns: readonly string[]) => string

export interface DocumentMember {
  readonly pointer: string
  /** What the body says there; `undefined` where it says nothing. */
  readonly sent: unknown
}

/** What resources a body names in linkage, and where. */
export type SentLinkageChange = Pick<LinkageChange, 'relation' | 'pointer' | 'added'>

interface SentMembers {
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  readonly changes: readonly SentLinkageChange[]
}

/** A pointer leads to what is in the body: what only hooks have written, the resource object as a whole stands for. */
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
      for (const { name, spec, column: own } of writable.attributes) {
        const place = { pointer: pointer('data', 'attributes', name), sent: attributes[name] }
        const found = own === column ? place : childAt(spec, column, place)
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

/** The children of a map are columns of the row itself, however deep it stands. */
function childAt(
  { kind, children }: AttributeSpec,
  column: string,
  { pointer: at, sent }: DocumentMember,
): DocumentMember | null {
  if (kind.children !== 'columns') return null
  for (const [name, child] of Object.entries(children)) {
    const place = { pointer: `${at}${pointer(name)}`, sent: isPlainObject(sent) ? sent[name] : sent }
    const isOwn = child.kind.children !== 'columns' && (child.storedAs ?? name) === column
    const found = isOwn ? place : childAt(child, column, place)
    if (found !== null) return found
  }
  return null
}

/** A body that is linkage and nothing else. */
export function pointersInLinkage(change: SentLinkageChange): ColumnPointers {
  const { pointer: at, added } = change
  return {
    pointerTo: () => at,
    memberAt: () => ({ pointer: at, sent: added.length === 0 ? null : added }),
    linkageOf: () => [change],
  }
}
