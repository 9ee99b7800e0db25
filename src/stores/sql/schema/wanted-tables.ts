import type { CompiledRelation, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../../declare/resource/fields/attribute-declaration.js'
import type { StorageType } from '../../../declare/resource/fields/value-kind.js'
import { isComposite, keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { Model } from '../../../declare/resource/parts/model.js'
import { endColumn } from '../../../declare/resource/reading/flattened-chain.js'
import { referenceColumn, relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import { servesType } from '../../common/data-source.js'
import { heldKeys } from './held-keys.js'
import type { InstantNotation } from './instant-notation.js'
import { defaultNotation } from './instant-notation.js'
import type { TableName } from './live-schema.js'
import type { QueriedColumn } from './queried-columns.js'
import { queriedColumns, typeAfter } from './queried-columns.js'
import type { ColumnNaming, TableColumn, TableModel } from './table-model.js'
import { isTableModel, tableName, tableText } from './table-model.js'

/** The types, tables and naming options that a store is declared with. */
export interface StoreDeclarations {
  /** All types of the server, including types that the store does not serve. */
  readonly types: readonly CompiledType[]
  /** The names of the types that the store serves. Default: those that have a table. */
  readonly served?: readonly string[] | undefined
  /** Join tables, and tables of types whose model is only a name. */
  readonly models: readonly TableModel<unknown>[]
  /** The naming of tables whose model declares none. */
  readonly naming: ColumnNaming
  /** The notation of instants in tables whose model declares none. */
  readonly instants?: InstantNotation
  readonly schema: string | null
}

/** A member of rows that declarations use. */
export interface WantedMember {
  readonly property: string
  /** The kind of values that its attribute declares; null if no attribute uses it. */
  readonly storageType: StorageType | null
  /** The attribute that uses it; null if no attribute does. */
  readonly spec: AttributeSpec | null
  /** The type and the field that use it, for the names of findings: `albums.title`. */
  readonly subject: string
  /** The declaration that needs the column, for messages; null if none does. */
  readonly neededBy: string | null
  /** The purpose for which the column must be stored; null if it may be computed. */
  readonly storedFor: 'finding rows' | 'writing' | null
  /** The requests whose values are written to the column. */
  readonly writtenBy: ClientWrites
}

/** A table that declarations need. */
export interface WantedTable {
  /** The name of its model. */
  readonly name: string
  readonly tableName: TableName
  /** The member that identifies a row; null for a composite key. */
  readonly key: string | null
  readonly naming: ColumnNaming
  readonly instants: InstantNotation
  readonly columns: ReadonlyMap<string, TableColumn>
  /**
   * The other table name that a model of the same name declares, if this table is only referred to by name; else null.
   */
  readonly conflictingName: TableName | null
  /** The declarations that are stored in the table, for messages. */
  readonly uses: readonly string[]
  /** A member may occur several times: its first entry counts. */
  readonly members: readonly WantedMember[]
  /** The names of the composite keys that declarations use. */
  readonly compositeKeys: ReadonlySet<string>
}

interface TableDraft extends WantedTable {
  readonly uses: string[]
  readonly members: WantedMember[]
  readonly compositeKeys: Set<string>
}

/** The tables by model or by name, as in `SqlTables`. */
export type WantedTables = ReadonlyMap<Model<unknown> | string, WantedTable>

/** Returns the types whose rows are in tables of the store. */
export function servedTypes({
  types,
  served,
  models,
}: Pick<StoreDeclarations, 'types' | 'served' | 'models'>): readonly CompiledType[] {
  const named = new Set(models.map(({ name }) => name))
  return types.filter(
    ({ type, model }) => model !== null && (isTableModel(model) || named.has(model.name)) && servesType(served, type),
  )
}

/** Returns the tables of a store: those of its types, their join tables, and those of the option `tables`. */
export function wantedTables(declarations: StoreDeclarations): WantedTables {
  const served = servedTypes(declarations)
  const drafting = {
    declarations,
    models: tableModels(declarations, served),
    drafts: new Map<Model<unknown> | string, TableDraft>(),
    typeNamed: new Map(declarations.types.map((type) => [type.type, type])),
  }
  for (const { name } of declarations.models) draftOf(drafting, name)
  for (const type of served) {
    if (type.model === null) continue
    const table = draftOf(drafting, type.model)
    table.uses.push(`the type '${type.type}'`)
    table.members.push(...typeMembers(type))
    addCompositeKeys(table, [type.id.column, referenceColumn(type)])
  }
  for (const type of served) {
    for (const relation of type.relations) wantRelation(drafting, type, relation)
  }
  for (const type of served) wantFlattened(drafting, type)
  wantQueried(drafting, served)
  return drafting.drafts
}

function tableModels({ models }: StoreDeclarations, served: readonly CompiledType[]): readonly TableModel<unknown>[] {
  const joins = served.flatMap(({ relations }) => relations.flatMap(({ spec }) => spec.join?.rows ?? []))
  return [...models, ...served.flatMap(({ model }) => model ?? []).filter(isTableModel), ...joins.filter(isTableModel)]
}

interface Drafting {
  readonly declarations: StoreDeclarations
  /** All table models; those of the option `tables` come first. */
  readonly models: readonly TableModel<unknown>[]
  readonly drafts: Map<Model<unknown> | string, TableDraft>
  readonly typeNamed: ReadonlyMap<string, CompiledType>
}

function draftOf(drafting: Drafting, model: Model<unknown> | string): TableDraft {
  const { declarations, drafts } = drafting
  const isTable = typeof model !== 'string' && isTableModel(model)
  const found = drafts.get(model) ?? (isTable ? draft(declarations, model.name, model) : namedDraft(drafting, model))
  drafts.set(model, found)
  return found
}

/**
 * Drafts a table that is referred to by name: the one of that name in the option `tables`, else the one of another
 * model.
 */
function namedDraft({ declarations, models }: Drafting, model: Model<unknown> | string): TableDraft {
  const name = typeof model === 'string' ? model : model.name
  const isNamed = (each: TableModel<unknown>): boolean => each.name === name
  const candidates = declarations.models.some(isNamed) ? declarations.models : models
  const [first, ...others] = candidates.filter(isNamed).map((each) => draft(declarations, name, each))
  const chosen = first ?? draft(declarations, name, null)
  const elsewhere =
    others.find(({ tableName: table }) => tableText(table) !== tableText(chosen.tableName))?.tableName ?? null
  const { key } = typeof model === 'string' ? chosen : model
  return { ...chosen, key: key === null || isComposite(key) ? null : key, conflictingName: elsewhere }
}

function draft(
  { naming, instants = defaultNotation, schema }: StoreDeclarations,
  name: string,
  model: TableModel<unknown> | null,
): TableDraft {
  const declared = model?.table ?? tableName(name)
  const [key = 'id', ...others] = model?.table.key ?? []
  return {
    name,
    tableName: { schema: declared.schema ?? schema, name: declared.name },
    key: others.length === 0 ? key : null,
    naming: model?.table.naming ?? naming,
    instants: model?.table.instants ?? instants,
    columns: model?.table.columns ?? new Map(),
    conflictingName: null,
    uses: [],
    members: [],
    compositeKeys: new Set(),
  }
}

/**
 * Returns the members that a type uses in its own rows. Soft deletes and versions that are times come first: they
 * determine the type of their column, even if an attribute shows it.
 */
function typeMembers(type: CompiledType): readonly WantedMember[] {
  const { softDeletes, version, lastModified, id } = type
  const ofType = `of '${type.type}'`
  const marked = softDeletes?.as === 'text' ? 'text' : 'instant'
  return [
    ...(softDeletes === null ? [] : [serverMember(type, 'softDeletes', softDeletes.column, marked)]),
    ...(version?.kind === 'instant' ? [serverMember(type, 'version', version.column, 'instant')] : []),
    ...(lastModified === null ? [] : [serverMember(type, 'lastModified', lastModified, 'instant')]),
    ...[...new Set([id.column, referenceColumn(type)].flatMap(keyColumns))].map((property) =>
      keyMember(property, { description: `the id ${ofType}`, subject: `${type.type}.id`, ...idWrites(type) }),
    ),
    ...type.attributes.flatMap(({ name, spec }) => {
      const description = `the attribute '${name}' ${ofType}`
      return attributeMembers(name, spec, { description, subject: `${type.type}.${name}`, ...clientWrites(type) })
    }),
    ...(version?.kind === 'integer' || version?.kind === 'xmin'
      ? [serverMember(type, 'version', version.column, null)]
      : []),
  ]
}

/** Descriptions of the columns that the server itself uses, for messages. */
const serverColumns = Object.freeze({
  softDeletes: 'the soft deletes',
  version: 'the version',
  lastModified: "'lastModified'",
})

function serverMember(
  { type }: CompiledType,
  use: keyof typeof serverColumns,
  property: string,
  storageType: 'instant' | 'text' | null,
): WantedMember {
  const onUpdate = use !== 'lastModified' && property !== 'xmin'
  const writtenBy = { onCreate: onUpdate && use === 'version', onUpdate }
  const neededBy = `${serverColumns[use]} of '${type}'`
  const subject = `${type}.${use}`
  return { property, storageType, spec: null, subject, neededBy, storedFor: storedFor(writtenBy), writtenBy }
}

function keyMember(property: string, use: FieldUse): WantedMember {
  const { subject, description: neededBy } = use
  return { property, storageType: null, spec: null, subject, neededBy, storedFor: 'finding rows', writtenBy: use }
}

/** Whether clients may write, by operation. */
interface ClientWrites {
  readonly onCreate: boolean
  readonly onUpdate: boolean
}

const notWritten: ClientWrites = Object.freeze({ onCreate: false, onUpdate: false })

/** The declaration that a column belongs to, with a description for messages. */
interface FieldUse extends ClientWrites {
  readonly description: string
  readonly subject: string
}

/** Returns whether the server writes ids, whether clients send them or it generates them. */
function idWrites({ id: { spec }, operations }: CompiledType): ClientWrites {
  const isGiven = spec.clientIds !== 'forbidden' || spec.fallback.kind !== 'store'
  return { onCreate: operations.has('Create') && isGiven, onUpdate: false }
}

function clientWrites({ operations }: CompiledType): ClientWrites {
  return { onCreate: operations.has('Create'), onUpdate: operations.has('Update') }
}

/** Returns whether a client's value of a field is written to the column, by operation. */
function columnWrites(
  { fill, readOnlyOnCreate, readOnlyOnUpdate }: Pick<AttributeSpec, 'fill' | 'readOnlyOnCreate' | 'readOnlyOnUpdate'>,
  writes: ClientWrites,
): ClientWrites {
  return {
    onCreate: writes.onCreate && fill === null && readOnlyOnCreate !== true,
    onUpdate: writes.onUpdate && fill === null && readOnlyOnUpdate !== true,
  }
}

function storedFor({ onCreate, onUpdate }: ClientWrites): WantedMember['storedFor'] {
  return onCreate || onUpdate ? 'writing' : null
}

function attributeMembers(name: string, spec: AttributeSpec, owner: FieldUse): readonly WantedMember[] {
  if (spec.computed || spec.on !== null) return []
  const column = { ...owner, ...columnWrites(spec, owner) }
  if (spec.kind.children === 'columns') return childMembers(spec.children, column)
  const neededBy = usesColumn(spec) ? owner.description : null
  return [{ ...attributeMember(spec, column), property: spec.storedAs ?? name, neededBy }]
}

function attributeMember(spec: AttributeSpec, use: FieldUse): Omit<WantedMember, 'property' | 'neededBy'> {
  const { storageType } = spec.kind
  return { storageType, spec, subject: use.subject, storedFor: storedFor(use), writtenBy: use }
}

function childMembers(children: ChildSpecs, owner: FieldUse): readonly WantedMember[] {
  return Object.entries(children).flatMap(([name, spec]) => attributeMembers(name, spec, owner))
}

/**
 * Returns whether an attribute needs its column. User-defined functions may read and write it through other columns instead.
 */
function usesColumn(spec: AttributeSpec): boolean {
  const isRead = spec.writeOnly !== true && spec.hidden !== true && spec.extract === null && spec.serialize === null
  const isReadOnly = spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true
  return isRead || spec.sortable || (spec.fill === null && !isReadOnly)
}

function wantRelation(drafting: Drafting, owner: CompiledType, relation: CompiledRelation): void {
  const { storage, keys, joined } = heldKeys(relation, owner, drafting.declarations.types)
  const description = `the relation '${relation.name}' of '${owner.type}'`
  const writes = storage === 'ownKey' ? columnWrites(relation.spec, clientWrites(owner)) : notWritten
  const use = { description, subject: `${owner.type}.${relation.name}`, ...writes }
  for (const { model, key } of keys) {
    if (model === null) continue
    const table = joined !== null ? draftOf(drafting, model) : drafting.drafts.get(model)
    if (table === undefined) continue
    table.members.push(...relationKeyColumns(key).map((column) => keyMember(column, use)))
    addCompositeKeys(table, [key.id])
  }
  if (joined === null) return
  const table = draftOf(drafting, joined.model)
  table.uses.push(description)
  table.members.push(...childMembers(relation.spec.pivot, { ...use, onCreate: true, onUpdate: true }))
}

function addCompositeKeys({ compositeKeys }: TableDraft, names: readonly string[]): void {
  for (const name of names) if (isComposite(name)) compositeKeys.add(name)
}

function draftOfType(drafts: Drafting['drafts'], { model }: CompiledType): TableDraft | undefined {
  return model === null ? undefined : drafts.get(model)
}

/**
 * Adds the columns of flattened attributes. Their values are in rows of another type, which need not expose them
 * itself.
 */
function wantFlattened({ drafts, typeNamed }: Drafting, type: CompiledType): void {
  for (const { name, spec } of type.attributes) {
    const end = spec.on === null ? null : typeAfter(spec.on, type, typeNamed)
    if (end === null) continue
    const use = { description: `the attribute '${name}' of '${type.type}'`, subject: `${type.type}.${name}` }
    const member = attributeMember(spec, { ...use, ...columnWrites(spec, clientWrites(type)) })
    const property = endColumn(end, spec.storedAs ?? name)
    draftOfType(drafts, end)?.members.push({ ...member, property, neededBy: use.description })
  }
}

/**
 * Adds the columns of filters and sorts that nothing else needs. A column that an attribute shows has the kind of the attribute, even if
 * the attribute itself does not need the column.
 */
function wantQueried({ drafts, typeNamed }: Drafting, served: readonly CompiledType[]): void {
  const queried = new Map<string, QueriedColumn>()
  for (const column of served.flatMap((type) => queriedColumns(type, typeNamed))) {
    const key = `${column.type.type} ${column.property}`
    const other = queried.get(key)
    queried.set(key, other === undefined ? column : { ...other, neededBy: `${other.neededBy} and ${column.neededBy}` })
  }
  for (const { type, property, neededBy } of queried.values()) {
    const members = draftOfType(drafts, type)?.members ?? []
    const uses = members.filter((use) => use.property === property)
    if (uses.some((use) => use.neededBy !== null)) continue
    members.push({
      property,
      storageType: uses[0]?.storageType ?? null,
      spec: uses[0]?.spec ?? null,
      subject: `${type.type}.${property}`,
      neededBy,
      storedFor: null,
      writtenBy: notWritten,
    })
  }
}
