import type { CompiledRelation, CompiledType } from '../../../resource/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../../resource/fields/attribute-declaration.js'
import type { KeptAs } from '../../../resource/fields/value-kind.js'
import { endColumn } from '../../../resource/reading/flattened-chain.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { Model } from '../../../resource/model.js'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import { resolveStorage } from '../../../resource/relations/resolve-storage.js'
import type { TableName } from './live-schema.js'
import { joinModel } from './sql-table.js'
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
  /** What only a column that the table holds will do for; `null` where it may be computed. */
  readonly heldFor: 'finding rows' | 'writing' | null
}

/** A table as the declarations want it. */
export interface WantedTable {
  /** Of its model. */
  readonly name: string
  readonly place: TableName
  /** The member that identifies a row, where it is one. */
  readonly key: string | null
  readonly naming: ColumnNaming
  readonly columns: ReadonlyMap<string, TableColumn>
  /** Where another model says that the table is, for one that is only named. */
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

/** By what the tables are found by: see `SqlTables`. */
export type WantedTables = ReadonlyMap<Model<unknown> | string, WantedTable>

/** The types among those of a world whose rows are in tables of the store. */
export function servedTypes({ types, models }: Pick<TableWorld, 'types' | 'models'>): readonly CompiledType[] {
  const named = new Set(models.map(({ name }) => name))
  return types.filter(({ model }) => model !== null && (isTableModel(model) || named.has(model.name)))
}

/** The tables of a store: those of its types, of their join rows, and those it was given. */
export function wantedTables(world: TableWorld): WantedTables {
  const served = servedTypes(world)
  const drafting = {
    world,
    models: tableModels(world, served),
    drafts: new Map<Model<unknown> | string, Draft>(),
    typeNamed: new Map(world.types.map((type) => [type.type, type])),
  }
  for (const { name } of world.models) draftOf(drafting, name)
  for (const type of served) {
    if (type.model === null) continue
    const table = draftOf(drafting, type.model)
    table.uses.push(`the type '${type.type}'`)
    table.members.push(...ownMembers(type))
  }
  for (const type of served) {
    for (const relation of type.relations) wantRelation(drafting, type, relation)
  }
  for (const type of served) wantFlattened(drafting, type)
  return drafting.drafts
}

function tableModels({ models }: TableWorld, served: readonly CompiledType[]): readonly TableModel<unknown>[] {
  const joins = served.flatMap(({ relations }) => relations.flatMap(({ spec }) => spec.join?.rows ?? []))
  return [...models, ...served.flatMap(({ model }) => model ?? []).filter(isTableModel), ...joins.filter(isTableModel)]
}

interface Drafting {
  readonly world: TableWorld
  /** All that are tables; those that the store was given come first. */
  readonly models: readonly TableModel<unknown>[]
  readonly drafts: Map<Model<unknown> | string, Draft>
  readonly typeNamed: ReadonlyMap<string, CompiledType>
}

function draftOf(drafting: Drafting, model: Model<unknown> | string): Draft {
  const { world, drafts } = drafting
  const isTable = typeof model !== 'string' && isTableModel(model)
  const found = drafts.get(model) ?? (isTable ? draft(world, model.name, model) : namedDraft(drafting, model))
  drafts.set(model, found)
  return found
}

/** A table of which only the name is told is the one of that name which the store was given, else the one of another model. */
function namedDraft({ world, models }: Drafting, model: Model<unknown> | string): Draft {
  const name = typeof model === 'string' ? model : model.name
  const isNamed = (each: TableModel<unknown>): boolean => each.name === name
  const given = world.models.some(isNamed) ? world.models : models
  const [first, ...others] = given.filter(isNamed).map((each) => draft(world, name, each))
  const made = first ?? draft(world, name, null)
  const elsewhere = others.find(({ place }) => tableText(place) !== tableText(made.place))?.place ?? null
  return { ...made, key: typeof model === 'string' ? made.key : model.key, elsewhere }
}

function draft({ naming, schema }: TableWorld, name: string, model: TableModel<unknown> | null): Draft {
  const place = model?.table ?? tableName(name)
  const [key = 'id', ...others] = model?.table.key ?? []
  return {
    name,
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
            heldFor: 'writing' as const,
          },
        ]),
    ...[...new Set([id.column, referenceColumn(type)])].map((property) => keyMember(property, `the id ${of}`)),
    ...type.attributes.flatMap(({ name, spec }) => {
      return attributeMembers(name, spec, { words: `the attribute '${name}' ${of}`, ...clientWrites(type) })
    }),
  ]
}

function keyMember(property: string, neededBy: string): WantedMember {
  return { property, keptAs: null, neededBy, heldFor: 'finding rows' }
}

/** When clients may write. */
interface ClientWrites {
  readonly onCreate: boolean
  readonly onUpdate: boolean
}

/** Where an attribute is declared, and how that is called in sentences. */
interface AttributePlace extends ClientWrites {
  readonly words: string
}

function clientWrites({ operations }: CompiledType): ClientWrites {
  return { onCreate: operations.has('Create'), onUpdate: operations.has('Update') }
}

/** When what they write of an attribute goes to its column. */
function columnWrites({ fill, readOnlyOnCreate, readOnlyOnUpdate }: AttributeSpec, writes: ClientWrites): ClientWrites {
  return {
    onCreate: writes.onCreate && fill === null && readOnlyOnCreate !== true,
    onUpdate: writes.onUpdate && fill === null && readOnlyOnUpdate !== true,
  }
}

function heldFor({ onCreate, onUpdate }: ClientWrites): WantedMember['heldFor'] {
  return onCreate || onUpdate ? 'writing' : null
}

function attributeMembers(name: string, spec: AttributeSpec, place: AttributePlace): readonly WantedMember[] {
  if (spec.computed || spec.on !== null) return []
  const own = { ...place, ...columnWrites(spec, place) }
  if (spec.kind.children === 'columns') return childMembers(spec.children, own)
  return [
    {
      property: spec.storedAs ?? name,
      keptAs: spec.kind.keptAs,
      neededBy: usesColumn(spec) ? place.words : null,
      heldFor: heldFor(own),
    },
  ]
}

function childMembers(children: ChildSpecs, place: AttributePlace): readonly WantedMember[] {
  return Object.entries(children).flatMap(([name, spec]) => attributeMembers(name, spec, place))
}

/** An attribute may be read and written by functions alone, which know other columns. */
function usesColumn(spec: AttributeSpec): boolean {
  const isRead = spec.writeOnly !== true && spec.hidden !== true && spec.extract === null && spec.serialize === null
  const isReadOnly = spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true
  return isRead || spec.sortable || (spec.fill === null && !isReadOnly)
}

function wantRelation(drafting: Drafting, owner: CompiledType, relation: CompiledRelation): void {
  const { drafts, typeNamed } = drafting
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
      const table = draftOf(drafting, joinModel(storage))
      table.uses.push(words)
      const keys = [storage.owner, storage.member].flatMap((each) => keyMembers(each, words))
      table.members.push(...keys, ...childMembers(relation.spec.pivot, { words, onCreate: true, onUpdate: true }))
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

function tableOf(drafts: Drafting['drafts'], { model }: CompiledType): Draft | undefined {
  return model === null ? undefined : drafts.get(model)
}

/** The value of a flattened attribute is in a row of another type, which need not show it itself. */
function wantFlattened({ drafts, typeNamed }: Drafting, type: CompiledType): void {
  for (const { name, spec } of type.attributes) {
    let end: CompiledType | undefined = spec.on === null ? undefined : type
    for (const hop of spec.on ?? []) end = typeNamed.get(end?.relationNamed.get(hop)?.spec.targets[0] ?? '')
    if (end === undefined) continue
    const property = endColumn(end, spec.storedAs ?? name)
    const neededBy = `the attribute '${name}' of '${type.type}'`
    const member = {
      property,
      keptAs: spec.kind.keptAs,
      neededBy,
      heldFor: heldFor(columnWrites(spec, clientWrites(type))),
    }
    tableOf(drafts, end)?.members.push(member)
  }
}
