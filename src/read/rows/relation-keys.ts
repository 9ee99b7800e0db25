import { keyText } from '../../row-query/key-text.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { QueryColumn, RowCondition } from '../../resource/querying/row-condition.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import { invariant } from '../../util/invariant.js'

/** The key by which a parent finds its members, as it is stored and as a text, and their type where the parent says it. */
export interface WantedKey {
  readonly stored: unknown
  readonly key: string | null
  readonly type: string | null
}

/** How the rows of a relation that a key holds find each other. */
export interface RelationKeys {
  wantedBy(parent: RowObject): WantedKey
  /** The keys that lead to rows of a type, each once. */
  leadingTo(type: CompiledType, wanted: readonly WantedKey[]): readonly WantedKey[]
  /** The column of a related row that has the key. */
  column(type: CompiledType): string
  /** What makes rows of a type members of parents with these keys. */
  conditions(type: CompiledType, wanted: readonly WantedKey[]): readonly RowCondition[]
}

export function relationKeys({ storage, owner, name }: ServedRelation): RelationKeys {
  const isHeld = storage.kind === 'ownKey' || storage.kind === 'relatedKey'
  invariant(isHeld, `'${owner.type}.${name}' is read by a key, and not held by one`)
  const { id, type: typeColumn } = storage.key
  const isOwn = storage.kind === 'ownKey'
  const column = (type: CompiledType): string => (isOwn ? referenceColumn(type) : id)
  // Where owners differ in type, their rows say which of them they belong to.
  const owned: readonly RowCondition[] =
    isOwn || typeColumn === null
      ? []
      : [{ kind: 'compare', column: columnNamed(typeColumn, false), operator: '=', value: owner.type }]
  return {
    column,
    wantedBy(parent) {
      if (!isOwn) return wantedKey(parent[referenceColumn(owner)], null)
      if (typeColumn === null) return wantedKey(parent[id], null)
      const type = keyText(parent[typeColumn])
      return wantedKey(type === null ? null : parent[id], type)
    },
    leadingTo({ type }, wanted) {
      const mine = wanted.filter((each) => each.key !== null && (each.type === null || each.type === type))
      return [...new Map(mine.map((each) => [each.key, each])).values()]
    },
    conditions(type, wanted) {
      const values = wanted.map(({ stored }) => stored)
      return [{ kind: 'in', column: columnNamed(column(type), true), values, negated: false }, ...owned]
    },
  }
}

function wantedKey(stored: unknown, type: string | null): WantedKey {
  return { stored, key: keyText(stored), type }
}

function columnNamed(name: string, isKey: boolean): QueryColumn {
  return { of: 'row', name, kind: null, isKey }
}
