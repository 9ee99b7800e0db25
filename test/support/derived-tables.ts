import type { CompiledType } from 'ashlar/store'
import { isComposite, keyColumns } from '../../src/declare/resource/parts/key-columns.js'
import { endColumn } from '../../src/declare/resource/reading/flattened-chain.js'
import { referenceColumn } from '../../src/declare/resource/compiled/relation-link.js'
import type { RelationKey } from '../../src/declare/resource/relations/relation-spec.js'
import { resolveStorage } from '../../src/declare/resource/compiled/resolve-storage.js'
import { uniqueSets } from '../../src/declare/resource/compiled/unique-sets.js'
import type { Held } from './held-values.js'
import { heldAs, heldBy, heldKey } from './held-values.js'

export type Seeds = Readonly<Record<string, readonly object[]>>

/** Columns that neither declarations nor rows speak of, since only code writes them: by table and name. */
export type ExtraColumns = Readonly<Record<string, Readonly<Record<string, Held>>>>

export type SeedRow = Readonly<Record<string, unknown>>

/** A table that fits the rows of a model, as a user would have created it for its types. */
export interface DerivedTable {
  readonly name: string
  /** The column of the primary key; `null` for join rows without one. */
  readonly key: string | null
  /** The columns of a composite primary key; empty for another key. */
  readonly compositeKey: readonly string[]
  /** How the database makes keys of rows that bring none. */
  readonly given: 'counted' | 'random' | 'not'
  readonly columns: readonly DerivedColumn[]
  readonly unique: readonly UniqueIndex[]
  readonly rows: readonly SeedRow[]
}

/** No two rows agree in its columns, except existing duplicates. */
export interface UniqueIndex {
  readonly columns: readonly string[]
  /** The keys of rows that a unique index over all would refuse. */
  readonly except: readonly unknown[]
}

export interface DerivedColumn {
  readonly name: string
  readonly held: Held
  /** The type by its attributes, if they and the rows do not agree; `null` if it has no attribute. */
  readonly declared: Held | null
}

/** The declarations of a table. */
interface Draft {
  readonly name: string
  readonly rows: readonly SeedRow[]
  key: string | null
  compositeKey: readonly string[]
  /** Whether keys are numbers, if there are no rows. */
  counted: boolean
  /** Whether new rows may come without a key, which the store does not make either. */
  isGiven: boolean
  /** By column: its type by its attributes; `null` if it has none. */
  readonly declared: Map<string, Held | null>
  /** By column: the tables that it points at. */
  readonly references: Map<string, Set<string>>
  readonly unique: (readonly string[])[]
}

type Drafts = Map<string, Draft>

/** The tables of some types, with the rows that they begin with. */
export function derivedTables(
  types: readonly CompiledType[],
  seeds: Seeds,
  extra: ExtraColumns = {},
): readonly DerivedTable[] {
  const drafts: Drafts = new Map()
  const draft = (name: string): Draft => {
    const known = drafts.get(name) ?? emptyDraft(name, seeds)
    drafts.set(name, known)
    return known
  }
  for (const name of Object.keys(seeds)) draft(name)
  for (const [name, columns] of Object.entries(extra)) {
    for (const [column, held] of Object.entries(columns)) declareColumn(draft(name), column, held)
  }
  for (const type of types) if (type.model !== null) declareType(draft(type.model.name), type)
  const typeNamed = new Map(types.map((type) => [type.type, type]))
  for (const type of types) {
    for (const relation of type.relations) declareRelation(draft, typeNamed, { owner: type, relation })
    declareFlattened(draft, typeNamed, type)
  }
  const keys = new Map([...drafts.values()].map((each) => [each.name, keyOf(each)]))
  return [...drafts.values()].map((each) => derived(each, keys))
}

function emptyDraft(name: string, seeds: Seeds): Draft {
  const rows = (seeds[name] ?? []) as readonly SeedRow[]
  const declared = new Map(rows.flatMap((row) => Object.keys(row).map((column) => [column, null] as const)))
  // Join rows have a key if the rows have one.
  const key = rows.length > 0 && rows.every((row) => row['id'] !== undefined) ? 'id' : null
  return {
    name,
    rows,
    key,
    compositeKey: [],
    counted: true,
    isGiven: false,
    declared,
    references: new Map(),
    unique: [],
  }
}

function declareColumn(draft: Draft, column: string, held: Held | null): void {
  draft.declared.set(column, draft.declared.get(column) ?? held)
}

function declareType(draft: Draft, type: CompiledType): void {
  const { model, id, softDeletes, version, lastModified } = type
  const key = referenceColumn(type)
  const parts = keyColumns(key)
  if (parts.length === 1) draft.key = key
  else draft.compositeKey = parts
  for (const column of [...parts, ...keyColumns(id.column)]) declareColumn(draft, column, null)
  if (parts.length > 1) draft.key = null
  else if (id.column === key) {
    draft.counted &&= hasNumbers(id.spec)
    draft.isGiven = id.spec.fallback.kind === 'store' && id.spec.format !== 'uuid' && id.spec.format !== 'ulid'
  } else {
    draft.unique.push(keyColumns(id.column))
  }
  if (softDeletes !== null) declareColumn(draft, softDeletes.column, softDeletes.as === 'text' ? 'text' : 'instant')
  if (version?.kind === 'instant') declareColumn(draft, version.column, 'instant')
  if (lastModified !== null) declareColumn(draft, lastModified, 'instant')
  for (const { name, spec } of type.attributes) declareAttribute(draft, name, spec)
  if (version?.kind === 'integer') declareColumn(draft, version.column, 'integer')
  for (const column of model?.columns ?? []) declareColumn(draft, column, null)
  for (const spec of Object.values(type.filters)) declareFilter(draft, type, spec)
  draft.unique.push(...uniqueSets(type).map(({ columns }) => columns))
}

/** Whether keys are numbers if there are no rows: generated ones are, unless clients may send others. */
function hasNumbers({ format, fallback, clientIds, codec }: CompiledType['id']['spec']): boolean {
  if (codec !== null) return true
  // A client may write 007, which is another id than 7.
  if (format === 'numeric') return clientIds !== 'required'
  return format === null && fallback.kind === 'store' && clientIds === 'forbidden'
}

type Attribute = CompiledType['attributes'][number]['spec']

function declareAttribute(draft: Draft, name: string, spec: Attribute): void {
  if (spec.computed || spec.on !== null) return
  if (spec.kind.children === 'columns') {
    for (const [child, childSpec] of Object.entries(spec.children)) declareAttribute(draft, child, childSpec)
    return
  }
  declareColumn(draft, spec.storedAs ?? name, heldBy(spec.kind))
}

/** Filters may use columns without an attribute. */
function declareFilter(draft: Draft, type: CompiledType, { test, coercion }: CompiledType['filters'][string]): void {
  if (test.kind === 'all' || test.kind === 'any') {
    for (const spec of Object.values(test.filters)) declareFilter(draft, type, spec)
  }
  if (!('column' in test) || test.column === null || type.attributeNamed.has(test.column)) return
  if (type.relationNamed.has(test.column)) return
  declareColumn(draft, test.column, coercion === 'number' ? 'number' : coercion === 'boolean' ? 'boolean' : null)
}

interface OwnedRelation {
  readonly owner: CompiledType
  readonly relation: CompiledType['relations'][number]
}

function declareRelation(
  draft: (name: string) => Draft,
  typeNamed: ReadonlyMap<string, CompiledType>,
  { owner, relation }: OwnedRelation,
): void {
  const targets = relation.spec.targets.flatMap((name) => typeNamed.get(name) ?? [])
  const found = resolveStorage({ relation, owner, targets })
  if (found.kind === 'missing') return
  const { storage } = found
  switch (storage.kind) {
    case 'ownKey':
      if (owner.model !== null) declareKey(draft(owner.model.name), storage.key, targets)
      return
    case 'relatedKey':
      for (const { model } of targets) if (model !== null) declareKey(draft(model.name), storage.key, [owner])
      return
    case 'join': {
      const join = draft(storage.model)
      declareKey(join, storage.owner, [owner])
      declareKey(join, storage.member, targets)
      for (const [name, spec] of Object.entries(relation.spec.pivot)) declareAttribute(join, name, spec)
      return
    }
    case 'function':
    case 'provider':
      return
  }
}

function declareKey(draft: Draft, { id, type }: RelationKey, targets: readonly CompiledType[]): void {
  for (const column of keyColumns(id)) declareColumn(draft, column, null)
  if (type !== null) declareColumn(draft, type, 'text')
  if (isComposite(id)) return
  const tables = targets.flatMap(({ model }) => (model === null ? [] : [model.name]))
  draft.references.set(id, new Set([...(draft.references.get(id) ?? []), ...tables]))
}

function declareFlattened(
  draft: (name: string) => Draft,
  typeNamed: ReadonlyMap<string, CompiledType>,
  type: CompiledType,
): void {
  for (const { name, spec } of type.attributes) {
    let end: CompiledType | undefined = spec.on === null ? undefined : type
    for (const hop of spec.on ?? []) end = typeNamed.get(end?.relationNamed.get(hop)?.spec.targets[0] ?? '')
    if (end === undefined || end.model === null || spec.computed) continue
    declareColumn(draft(end.model.name), endColumn(end, spec.storedAs ?? name), heldBy(spec.kind))
  }
}

/** The type of the keys of a table. */
function keyOf({ key, rows, counted }: Draft): Held {
  const values = key === null ? [] : rows.map((row) => row[key])
  return heldKey(values, counted ? 'integer' : 'text')
}

function derived(draft: Draft, keys: ReadonlyMap<string, Held>): DerivedTable {
  const { name, key, compositeKey, declared, references } = draft
  const rows = keyedRows(draft)
  const columns = [...declared].map(([column, held]): DerivedColumn => {
    const values = rows.map((row) => row[column])
    if (column === key) return { name: column, held: keys.get(name) ?? 'integer', declared: null }
    const pointed = references.get(column)
    if (pointed === undefined) return { name: column, held: heldAs(values, held), declared: held }
    const [first = 'integer', ...others] = new Set([...pointed].map((table) => keys.get(table) ?? 'integer'))
    return { name: column, held: heldKey(values, others.length === 0 ? first : 'text'), declared: null }
  })
  const plain = new Set(columns.filter(({ held }) => held !== 'json').map((column) => column.name))
  const unique = new Map(draft.unique.map((set) => [set.toSorted().join('\n'), set]))
  return {
    name,
    key,
    compositeKey,
    given: key === null ? 'not' : givenBy(draft, keys.get(name) ?? 'integer'),
    columns,
    unique: [...unique.values()]
      .filter((set) => set.every((column) => plain.has(column)))
      .map((set) => ({ columns: set, except: key === null ? [] : twins(rows, set).map((row) => row[key]) })),
    rows,
  }
}

function givenBy({ isGiven }: Draft, key: Held): DerivedTable['given'] {
  if (key === 'integer') return 'counted'
  return key === 'text' && isGiven ? 'random' : 'not'
}

/** Rows that bring no key get the next, as the memory store has it. */
function keyedRows({ key, rows }: Draft): readonly SeedRow[] {
  if (key === null) return rows
  const numbers = rows.map((row) => Number(row[key] ?? 0)).filter(Number.isSafeInteger)
  let last = Math.max(0, ...numbers)
  return rows.map((row) => {
    if (row[key] !== undefined && row[key] !== null) return row
    last += 1
    return { ...row, [key]: last }
  })
}

/** Rows that agree with another in these columns: from before there was a rule. Null equals nothing. */
function twins(rows: readonly SeedRow[], columns: readonly string[]): readonly SeedRow[] {
  const whole = rows.filter((row) => columns.every((column) => row[column] !== null && row[column] !== undefined))
  const text = (row: SeedRow): string => columns.map((column) => String(row[column])).join('\n')
  return whole.filter((row) => whole.some((other) => other !== row && text(other) === text(row)))
}
