import { keyText } from '../../../stores/row-query/key-text.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { QueryColumn, RowCondition } from '../../../declare/resource/querying/row-condition.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import { invariant } from '../../../core/util/invariant.js'

/**
 * The key by which a parent finds its members, as stored and as text, and the value of the type column if the parent's row contains it.
 */
export interface WantedKey {
  readonly stored: unknown
  readonly key: string | null
  readonly type: string | null
}

/** The keys of a relation that is stored as a foreign key. */
export interface RelationKeys {
  /** Returns the key of the members of a parent. */
  wantedBy(parent: RowObject): WantedKey
  /** Returns the keys that refer to rows of a type, without duplicates. */
  leadingTo(type: CompiledType, wanted: readonly WantedKey[]): readonly WantedKey[]
  /** Returns the column of a related row that contains the key. */
  column(type: CompiledType): string
  /** Returns the conditions that make rows of a type members of parents with these keys. */
  conditions(type: CompiledType, wanted: readonly WantedKey[]): readonly RowCondition[]
}

export function relationKeys({ storage, owner, name }: ServedRelation): RelationKeys {
  const isForeignKey = storage.kind === 'ownKey' || storage.kind === 'relatedKey'
  invariant(isForeignKey, `'${owner.type}.${name}' is read by a key, but is not stored as a foreign key`)
  const { id, type: typeColumn } = storage.key
  const isOwnersKey = storage.kind === 'ownKey'
  const column = (type: CompiledType): string => (isOwnersKey ? referenceColumn(type) : id)
  // If owners have several types, a column of the related rows contains the type of their owner.
  const ownerConditions: readonly RowCondition[] =
    isOwnersKey || typeColumn === null
      ? []
      : [{ kind: 'compare', column: columnNamed(typeColumn, false), operator: '=', value: owner.storedType }]
  return {
    column,
    wantedBy(parent) {
      if (!isOwnersKey) return wantedKey(keyIn(parent, referenceColumn(owner)), null)
      if (typeColumn === null) return wantedKey(keyIn(parent, id), null)
      const type = keyText(parent[typeColumn])
      return wantedKey(type === null ? null : keyIn(parent, id), type)
    },
    leadingTo({ storedType }, wanted) {
      const ofType = wanted.filter((each) => each.key !== null && (each.type === null || each.type === storedType))
      return [...new Map(ofType.map((each) => [each.key, each])).values()]
    },
    conditions(type, wanted) {
      const values = wanted.map(({ stored }) => stored)
      return [{ kind: 'in', column: columnNamed(column(type), true), values, negated: false }, ...ownerConditions]
    },
  }
}

function wantedKey(stored: unknown, type: string | null): WantedKey {
  return { stored, key: keyText(stored), type }
}

function columnNamed(name: string, isKey: boolean): QueryColumn {
  return { of: 'row', name, kind: null, isKey }
}
