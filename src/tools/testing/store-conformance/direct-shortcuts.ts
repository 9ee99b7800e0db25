import type { DataSource } from '../../../stores/common/data-source.js'
import { ownShortcuts } from '../../../declare/resource/capabilities/own-functions.js'
import type {
  ColumnValues,
  JoinChange,
  RowReference,
  WriteShortcuts,
} from '../../../declare/resource/capabilities/persister.js'
import type { Transaction } from '../../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import { found, linkOf, missing, ofModel, requestContext, rowsOf } from './direct-store.js'

/** Calls the autocommit functions of a persister, as the server does for plain writes. */
export interface DirectShortcuts {
  /** Returns the forms in which the server may pass a condition: as it is, and in a scope if the shortcuts accept scopes. */
  forms(method: keyof WriteShortcuts, type: string, condition: RowCondition): readonly RowCondition[]
  /** Whether `update` has `raisesVersions`. */
  raisesVersions(type: string): boolean
  /** Whether a function runs in open transactions: `joinsTransactions`. */
  joinsTransactions(method: keyof WriteShortcuts, type: string): boolean
  /** Whether `create` has `checksRows`, and the function. */
  checksRows(type: string, name: 'autocommit' | 'autocommitMany'): boolean
  create(
    type: string,
    values: ColumnValues,
    references?: readonly RowReference[],
    conditions?: readonly RowCondition[],
  ): Promise<RowObject | null>
  createMany(
    type: string,
    rows: readonly ColumnValues[],
    references?: readonly RowReference[],
    conditions?: readonly RowCondition[],
  ): Promise<readonly RowObject[] | null>
  update(type: string, id: string, values: ColumnValues, options?: DirectUpdate): Promise<RowObject | null>
  delete(type: string, id: string, conditions?: readonly RowCondition[]): Promise<RowObject | null>
  /** @param change with ids in place of keys */
  changeMembers(
    relation: string,
    change: DirectJoinChange,
    conditions?: { readonly owner?: readonly RowCondition[]; readonly member?: readonly RowCondition[] },
  ): Promise<boolean>
  /** A reference to rows of a type. */
  reference(column: string, type: string, conditions?: readonly RowCondition[]): RowReference
  /** The key of an id, as the server passes it. */
  key(type: string, id: string): unknown
  /** The condition that a column of a type, which an attribute declares, equals a value. */
  equals(type: string, column: string, value: unknown): RowCondition
}

export interface DirectUpdate {
  readonly conditions?: readonly RowCondition[]
  readonly references?: readonly RowReference[]
  readonly raises?: string
  readonly transaction?: Transaction
}

export interface DirectJoinChange {
  readonly kind: JoinChange['kind']
  readonly ownerType: string
  readonly owner: string
  readonly type: string
  readonly members: readonly string[]
}

function required<Shortcut>(shortcut: Shortcut | undefined, name: string): Shortcut {
  if (shortcut === undefined) throw missing(`shortcuts.${name}`)
  return shortcut
}

export function directShortcuts(data: DataSource, types: ReadonlyMap<string, CompiledType>): DirectShortcuts {
  const typeNamed = (name: string): CompiledType => found(types.get(name), `a type '${name}' with a provider`)
  const shortcutsOf = (name: string): WriteShortcuts => ownShortcuts(data.persister(typeNamed(name)))
  const keyOf = (name: string, id: string): unknown => typeNamed(name).id.decode(id)
  const rowOf = (name: string, result: object | null): RowObject | null => {
    const [row] = result === null ? [] : rowsOf(result)
    return row === undefined ? null : ofModel(typeNamed(name), row)
  }
  return {
    forms(method, type, condition) {
      const accepts = shortcutsOf(type)[method]?.acceptsScopes === true
      return accepts ? [condition, { kind: 'scope', type, conditionIn: () => condition }] : [condition]
    },
    raisesVersions: (type) => shortcutsOf(type).update?.raisesVersions === true,
    joinsTransactions: (method, type) => shortcutsOf(type)[method]?.joinsTransactions === true,
    checksRows: (type, name) => {
      const { create } = shortcutsOf(type)
      return create?.checksRows === true && create[name] !== undefined
    },
    async create(name, values, references = [], conditions = []) {
      const autocommit = required(shortcutsOf(name).create?.autocommit, 'create.autocommit')
      return rowOf(name, await autocommit(typeNamed(name), values, { ...plain(name), references, conditions }))
    },
    async createMany(name, rows, references = [], conditions = []) {
      const autocommitMany = required(shortcutsOf(name).create?.autocommitMany, 'create.autocommitMany')
      const created = await autocommitMany(typeNamed(name), rows, { ...plain(name), references, conditions })
      return created === null ? null : rowsOf(created).map((row) => ofModel(typeNamed(name), row))
    },
    async update(name, id, values, options: NullableUpdate = {}) {
      const autocommit = required(shortcutsOf(name).update?.autocommit, 'update.autocommit')
      const { conditions = [], references = [], raises = null, transaction = null } = options
      const write = { ...plain(name), conditions, references, raises, transaction, flags: [] }
      return rowOf(name, await autocommit(typeNamed(name), keyOf(name, id), values, write))
    },
    async delete(name, id, conditions = []) {
      const autocommit = required(shortcutsOf(name).delete?.autocommit, 'delete.autocommit')
      return rowOf(name, await autocommit(typeNamed(name), keyOf(name, id), { ...plain(name), conditions }))
    },
    async changeMembers(relation, { kind, ownerType, owner, type, members }, { owner: ofOwner, member } = {}) {
      const shortcuts = shortcutsOf(ownerType).mutateRelationship
      const autocommit = required(shortcuts?.autocommit, 'mutateRelationship.autocommit')
      const keys = members.map((id) => keyOf(type, id))
      return autocommit(
        linkOf(types, typeNamed(ownerType), relation),
        { kind, owner: keyOf(ownerType, owner), type: typeNamed(type), members: keys },
        {
          context: requestContext(ownerType),
          transaction: null,
          ownerConditions: ofOwner ?? [],
          memberConditions: member ?? [],
        },
      )
    },
    reference: (column, type, conditions = []) => ({ column, type: typeNamed(type), conditions }),
    key: keyOf,
    equals(type, column, value) {
      const { spec } = found(
        typeNamed(type).attributes.find((attribute) => attribute.column === column),
        `an attribute of the column '${column}'`,
      )
      const compared = { of: 'row', name: column, kind: spec.kind, isKey: false } as const
      return { kind: 'compare', column: compared, operator: '=', value }
    },
  }
}

type NullableUpdate = Omit<DirectUpdate, 'raises'> & { readonly raises?: string | null }

/** The context of a write without conditions. */
function plain(type: string) {
  return {
    context: requestContext(type),
    transaction: null,
    references: [],
    conditions: [],
    clientColumns: [],
  } as const
}
