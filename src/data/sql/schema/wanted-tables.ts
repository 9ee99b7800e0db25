import type { CompiledRelation, CompiledType } from '../../../resource/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../../resource/fields/attribute-declaration.js'
import type { KeptAs } from '../../../resource/fields/value-kind.js'
import { endColumn } from '../../../resource/reading/flattened-chain.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import { resolveStorage } from '../../../resource/relations/resolve-storage.js'
import type { TableName } from './live-schema.js'
import type { ColumnNaming, TableColumn, TableModel } from './table-model.js'
import { isTableModel, tableName, tableText } from './table-model.js'

/** What a store is to serve. */
export interface TableWorld {
  /** Those that the store does not serve may be among them. */
  readonly types: readonly CompiledType[]
  /** Tables of join rows, and of types whose model is only a name. */
  readonly models: readonly TableModel<unknown>[]
  /** For tables whose model says nothing of it. */
  readonly naming: ColumnNaming
  readonly schema: string | null
}

/** A member of rows that declarations speak of. */
export interface WantedMember {
  readonly property: string
  /** What its values are by its attribute; `null` where none says. */
  readonly keptAs: KeptAs | null
  /** What cannot be served without it, in words; `null` where all can. */
  readonly neededBy: string | null
}

/** A table as the declarations want it. */
export interface WantedTable {
  readonly model: string
  readonly place: TableName
  /** The member that identifies a row, where it is one. */
  readonly key: string | null
  readonly naming: ColumnNaming
  readonly columns: ReadonlyMap<string, TableColumn>
  /** Where another model of the same name says that the table is. */
  readonly elsewhere: TableName | null
  /** What is kept there, in words. */
  readonly uses: readonly string[]
  /** What is said first of a member holds. */
  readonly members: readonly WantedMember[]
}

interface Draft extends WantedTable {
  readonly uses: string[]
  readonly members: WantedMember[]
}

/** The tables of a store, by the name of their model: those of its types, of their join rows, and those it was given. */
export function wantedTables(world: TableWorld): ReadonlyMap<string, WantedTable> {
  const named = new Set(world.models.map(({ name }) => name))
  const served = world.types.filter(({ model }) => model !== null && (isTableModel(model) || named.has(model.name)))
  const drafts = new Map<string, Draft>()
  for (const model of tableModels(world, served)) {
    drafts.set(model.name, merged(drafts.get(model.name), draft(world, model.name, model)))
  }
  for (const type of served) {
    const { model } = type
    const table = tableOf(drafts, type)
    if (table === undefined || model === null) continue
    if (!isTableModel(model)) drafts.set(model.name, { ...table, key: model.key })
    table.uses.push(`the type '${type.type}'`)
    table.members.push(...ownMembers(type))
  }
  const typeNamed = new Map(world.types.map((type) => [type.type, type]))
  for (const type of served) {
    for (const relation of type.relations) wantRelation({ world, drafts, typeNamed }, type, relation)
  }
  for (const type of served) wantFlattened(drafts, typeNamed, type)
  return drafts
}

function tableModels({ models }: TableWorld, served: readonly CompiledType[]): readonly TableModel<unknown>[] {
  const joins = served.flatMap(({ relations }) => relations.flatMap(({ spec }) => spec.join?.rows ?? []))
  return [...models, ...served.flatMap(({ model }) => model ?? []).filter(isTableModel), ...joins.filter(isTableModel)]
}

/** Several models may be one table, each with columns that the others do not know. */
function merged(first: Draft | undefined, next: Draft): Draft {
  if (first === undefined) return next
  const isSame = tableText(first.place) === tableText(next.place)
  return {
    ...first,
    columns: new Map([...next.columns, ...first.columns]),
    elsewhere: isSame ? first.elsewhere : next.place,
  }
}

function draft({ naming, schema }: TableWorld, name: string, model: TableModel<unknown> | null): Draft {
  const place = model?.table ?? tableName(name)
  const [key = 'id', ...others] = model?.table.key ?? []
  return {
    model: name,
    place: { schema: place.schema ?? schema, name: place.name },
    key: others.length === 0 ? key : null,
    naming: model?.table.naming ?? naming,
    columns: model?.table.columns ?? new Map(),
    elsewhere: null,
    uses: [],
    members: [],
  }
}

/** What a type says of its own rows. Soft deletes come first: they write what they say, whatever attribute shows it. */
function ownMembers(type: CompiledType): readonly WantedMember[] {
  const { softDeletes, id } = type
  const of = `of '${type.type}'`
  return [
    ...(softDeletes === null
      ? []
      : [
          {
            property: softDeletes.column,
            keptAs: softDeletes.as === 'text' ? ('text' as const) : ('instant' as const),
            neededBy: `the soft deletes ${of}`,
          },
        ]),
    ...[...new Set([id.column, referenceColumn(type)])].map((property) => keyMember(property, `the id ${of}`)),
    ...type.attributes.flatMap(({ name, spec }) => attributeMembers(name, spec, `the attribute '${name}' ${of}`)),
  ]
}

function keyMember(property: string, neededBy: string): WantedMember {
  return { property, keptAs: null, neededBy }
}

function attributeMembers(name: string, spec: AttributeSpec, words: string): readonly WantedMember[] {
  if (spec.computed || spec.on !== null) return []
  if (spec.kind.children === 'columns') return childMembers(spec.children, words)
  return [{ property: spec.storedAs ?? name, keptAs: spec.kind.keptAs, neededBy: usesColumn(spec) ? words : null }]
}

function childMembers(children: ChildSpecs, words: string): readonly WantedMember[] {
  return Object.entries(children).flatMap(([name, spec]) => attributeMembers(name, spec, words))
}

/** An attribute may be read and written by functions alone, which know other columns. */
function usesColumn(spec: AttributeSpec): boolean {
  const isRead = spec.writeOnly !== true && spec.hidden !== true && spec.extract === null && spec.serialize === null
  const isReadOnly = spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true
  return isRead || spec.sortable || (spec.fill === null && !isReadOnly)
}

interface Drafting {
  readonly world: TableWorld
  readonly drafts: Map<string, Draft>
  readonly typeNamed: ReadonlyMap<string, CompiledType>
}

function wantRelation(drafting: Drafting, owner: CompiledType, relation: CompiledRelation): void {
  const { world, drafts, typeNamed } = drafting
  const targets = relation.spec.targets.flatMap((name) => typeNamed.get(name) ?? [])
  const found = resolveStorage({ relation, owner, targets })
  if (found.kind === 'missing') return
  const { storage } = found
  const words = `the relation '${relation.name}' of '${owner.type}'`
  switch (storage.kind) {
    case 'ownKey':
      tableOf(drafts, owner)?.members.push(...keyMembers(storage.key, words))
      return
    case 'relatedKey':
      for (const target of targets) tableOf(drafts, target)?.members.push(...keyMembers(storage.key, words))
      return
    case 'join': {
      const table = drafts.get(storage.model) ?? draft(world, storage.model, null)
      drafts.set(storage.model, table)
      table.uses.push(words)
      const keys = [storage.owner, storage.member].flatMap((each) => keyMembers(each, words))
      table.members.push(...keys, ...childMembers(relation.spec.pivot, words))
      return
    }
    case 'function':
    case 'provider':
      return
  }
}

function keyMembers({ id, type }: RelationKey, words: string): readonly WantedMember[] {
  return [keyMember(id, words), ...(type === null ? [] : [keyMember(type, words)])]
}

function tableOf(drafts: ReadonlyMap<string, Draft>, { model }: CompiledType): Draft | undefined {
  return model === null ? undefined : drafts.get(model.name)
}

/** The value of a flattened attribute is in a row of another type, which need not show it itself. */
function wantFlattened(
  drafts: ReadonlyMap<string, Draft>,
  typeNamed: ReadonlyMap<string, CompiledType>,
  type: CompiledType,
): void {
  for (const { name, spec } of type.attributes) {
    let end: CompiledType | undefined = spec.on === null ? undefined : type
    for (const hop of spec.on ?? []) end = typeNamed.get(end?.relationNamed.get(hop)?.spec.targets[0] ?? '')
    if (end === undefined) continue
    const property = endColumn(end, spec.storedAs ?? name)
    const neededBy = `the attribute '${name}' of '${type.type}'`
    tableOf(drafts, end)?.members.push({ property, keptAs: spec.kind.keptAs, neededBy })
  }
}
