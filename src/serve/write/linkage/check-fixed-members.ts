import type { Problem } from '../../../core/errors/json-api-error.js'
import { failAll, problem } from '../../../core/errors/json-api-error.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { isComposite, keyColumns, keyIn } from '../../../declare/resource/parts/key-columns.js'
import { clearedColumns, isIdColumn } from '../../../declare/resource/compiled/cleared-columns.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import { keyText } from '../../../stores/row-query/key-text.js'
import type { LinkageChange } from './linkage-change.js'
import type { MemberOf } from './linkage-change.js'

interface OwnerRow {
  readonly memberOf: MemberOf
  /** The stored row; `null` on create. */
  readonly row: RowObject | null
}

/**
 * Fails with 403 if a change of members would change their ids: the key of the owner is the id of the members or a part of
 * it, so that a member cannot get another owner, or none.
 */
export function checkFixedMembers(changes: readonly LinkageChange[], owner: OwnerRow, limit: number): void {
  const problems = changes.flatMap((change) => fixedMembers(change, owner))
  if (problems.length > 0) failAll(problems.slice(0, limit))
}

function fixedMembers(change: LinkageChange, { memberOf, row }: OwnerRow): readonly Problem[] {
  const { relation, added, removed, sent, pointer } = change
  if (relation.storage.kind !== 'relatedKey') return []
  const { id } = relation.storage.key
  const ownerKey = row === null ? null : keyIn(row, referenceColumn(relation.owner))
  const typeNamed = (name: string): CompiledType | undefined => relation.related.get(name)?.type
  const pointers = new Map(sent.map((each) => [`${each.type} ${each.id}`, each.pointer]))
  const moved = added.filter((each) => {
    const type = typeNamed(each.type)
    return type !== undefined && changesId(type, memberOf(each)?.idKey, { id, ownerKey })
  })
  const released = removed.filter((each) => {
    const type = typeNamed(each.type)
    return type !== undefined && clearedColumns(type, id).some((column) => isIdColumn(type, column))
  })
  return [...moved, ...released].map(({ type, id: memberId }) =>
    problem(
      'RESOURCE_ID_IMMUTABLE',
      { type, id: memberId },
      { source: { pointer: pointers.get(`${type} ${memberId}`) ?? pointer } },
    ),
  )
}

/** Whether a member would get another id with the key of the owner. */
function changesId(
  type: CompiledType,
  memberKey: unknown,
  { id, ownerKey }: { readonly id: string; readonly ownerKey: unknown },
): boolean {
  const [owner, member] = [listOf(id, ownerKey), listOf(type.id.column, memberKey)]
  const idColumns = keyColumns(type.id.column)
  return keyColumns(id).some((column, index) => {
    const position = idColumns.indexOf(column)
    return position !== -1 && (ownerKey === null || keyText(owner[index]) !== keyText(member[position]))
  })
}

function listOf(name: string, key: unknown): readonly unknown[] {
  if (!isComposite(name)) return [key]
  return Array.isArray(key) ? key : []
}
