import type { DataSource } from '../../../stores/common/data-source.js'
import type { ScopeReaders } from '../../../declare/resource/capabilities/own-functions.js'
import { scopeReaders } from '../../../declare/resource/capabilities/own-functions.js'
import type { Provider } from '../../../declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import { rowSetOf } from '../../../core/rows/row-set.js'
import { byKeyCriteria, found, linkOf, requestContext, rowsOf } from './direct-store.js'

/** Reads with a scope. Each function is only for providers that accept scopes there. */
export interface DirectScopes {
  /** The functions of the provider of a type that accept scopes. */
  accepting(type: string): ScopeReaders
  /** Returns whether a row is found by its id. */
  finds(type: string, id: string, condition: RowCondition): Promise<boolean>
  /** Returns the ids of a collection. */
  list(type: string, condition: RowCondition): Promise<readonly string[]>
  /** Returns the ids of the members of an owner, and their count by the store. */
  members(owner: DirectOwner, relation: string, condition: RowCondition): Promise<readonly string[]>
  count(owner: DirectOwner, relation: string, condition: RowCondition): Promise<number | undefined>
}

export interface DirectOwner {
  readonly type: string
  readonly row: object
}

function idIn({ id }: CompiledType, row: object): string {
  return id.encode(keyIn(row as RowObject, id.column))
}

/** The conditions of a read in the scope of a type. */
function within(type: string, condition: RowCondition) {
  const scope = { kind: 'scope', type, conditionIn: () => condition } as const
  return { conditions: [scope], context: requestContext(type), transaction: null }
}

export function directScopes(data: DataSource, types: ReadonlyMap<string, CompiledType>): DirectScopes {
  const typeNamed = (name: string): CompiledType => found(types.get(name), `a type '${name}' with a provider`)
  const providerOf = (name: string): Provider => found(data.provider(typeNamed(name)), `a provider of '${name}'`)
  const linked = ({ type, row }: DirectOwner, relation: string) => {
    const link = linkOf(types, typeNamed(type), relation)
    const [target] = link.targets
    return { link, target: found(target, `a type of '${relation}'`), parents: rowSetOf([row]) }
  }
  return {
    accepting: (type) => scopeReaders(providerOf(type)),
    async finds(type, id, condition) {
      const result = await providerOf(type).fetchOne(typeNamed(type), id, { columns: null, ...within(type, condition) })
      return result !== null && rowsOf(result).length > 0
    },
    async list(type, condition) {
      const criteria = { ...byKeyCriteria, columns: null, ...within(type, condition) }
      const result = await providerOf(type).fetchCollection?.(typeNamed(type), criteria)
      return rowsOf(found(result, `a list of '${type}'`)).map((row) => idIn(typeNamed(type), row))
    },
    async members(owner, relation, condition) {
      const { link, target, parents } = linked(owner, relation)
      const { conditions, ...rest } = within(target.type, condition)
      const criteria = { ...byKeyCriteria, ...rest, conditions: [], conditionsOf: new Map([[target.type, conditions]]) }
      const result = await providerOf(owner.type).fetchRelated?.(link, parents, { ...criteria, columnsOf: new Map() })
      const { sets } = found(result, `fetchRelated of '${owner.type}'`)
      return sets.flatMap(({ rows }) => rowsOf(rows).map((row) => idIn(target, row)))
    },
    async count(owner, relation, condition) {
      const { link, target, parents } = linked(owner, relation)
      const { conditions, ...rest } = within(target.type, condition)
      const criteria = { ...rest, conditions: [], conditionsOf: new Map([[target.type, conditions]]) }
      const counts = await providerOf(owner.type).countRelated?.(link, parents, criteria)
      return counts?.[0]
    },
  }
}
