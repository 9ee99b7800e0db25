import type { SchemaColumn, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import { filledColumns } from './filled-columns.js'
import { isTextKey, keyRowType } from './key-row-type.js'
import type { DeclaredColumn, PlannedField, PlannedType, PullNote, RowMember, SecretColumn } from './plan.js'
import { planAttribute, type PlannedAttribute } from './plan-attributes.js'
import { namesOf, type PlanContext } from './plan-context.js'
import type { PlannedRelation, TypeFields } from './type-fields.js'
import { misnamedColumns } from './row-members.js'
import type { ServedTable } from './served-tables.js'
import { listLiteral } from './source-name.js'
import { plainName } from '../read/plain-name.js'
import { modelNames } from './table-name.js'
import { quotedName, quotedTable } from '../../../stores/sql/schema/quoted-name.js'

interface TypePlan {
  readonly planned: PlannedType
  readonly waivers: readonly (readonly [name: string, reason: string])[]
  readonly notes: readonly PullNote[]
  readonly secrets: readonly SecretColumn[]
}

/** Plans the declaration of one table. */
export function planType(
  served: ServedTable,
  context: PlanContext & { readonly fields: ReadonlyMap<ServedTable, TypeFields> },
): TypePlan {
  const { table, key, readOnlyBecause } = served
  const fields = context.fields.get(served)
  if (fields === undefined) throw new Error(`The table '${table.name}' has no fields.`)
  const { type, file, constant, row: rowName } = namesOf(context, served)
  const storedType = context.storedTypes.get(served) ?? type
  const secrets = planSecrets(served, fields, context)
  const memberOf = (column: SchemaColumn): string => fields.members.get(column.name) ?? column.name
  const filled = filledColumns(served, fields)
  const held = new Set([...key, ...fields.relations.flatMap(({ columns }) => columns)])
  const planned = new Map(
    [...fields.attributes].map(([column, name]): [SchemaColumn, PlannedAttribute] => {
      const isKey = key.includes(column)
      const common = { table, name, member: memberOf(column), engine: context.schema.engine }
      const isReadOnly = readOnlyBecause !== null
      const isFilled = filled.created.includes(column) || filled.updated.includes(column)
      const options = { ...common, isReadOnly, isKey, isFilled, isText: isKey && isTextKey(column) }
      return [column, planAttribute(column, options)]
    }),
  )
  const used = table.columns.filter((column) => held.has(column) || planned.get(column)?.attribute != null)
  const row = used.map(
    (column) =>
      planned.get(column)?.row ?? keyMember(memberOf(column), column, column.nullable && !key.includes(column)),
  )
  const unique = uniqueSets(served, fields)
  const waived = [...keyWaiver(type, served), ...fields.relations.flatMap((relation) => waiverOf(type, relation))]
  return {
    planned: {
      type,
      file,
      constant,
      comment: table.comment,
      model: {
        rowName,
        row,
        ...modelNames(table),
        key: key.map(memberOf),
        columns: declaredColumns(used, fields, served),
      },
      id: idCalls(served, fields),
      attributes: [...planned].flatMap(([column, { attribute }]) =>
        attribute === null ? [] : [withCall(attribute, unique.get(column))],
      ),
      relations: fields.relations.map(({ name, calls }) => ({ name, calls })),
      filters: [...planned.values()].flatMap(({ filter }) => filter ?? []),
      secrets: secrets.fields,
      filled: { created: filled.created.map(memberOf), updated: filled.updated.map(memberOf) },
      joins: fields.relations.flatMap(({ join }) => (join === null ? [] : [namesOf(context, join)])),
      storedType: storedType === type ? null : storedType,
      isReadOnly: readOnlyBecause !== null,
      isCreatable: !secrets.columns.some(({ isNeeded }) => isNeeded),
    },
    waivers: waived.map(({ name, reason }) => [name, reason]),
    notes: [...[...planned.values()].flatMap(({ note }) => note ?? []), ...waived.map(({ note }) => note)],
    secrets: secrets.columns,
  }
}

/** Plans the attributes that are left out as secrets, for the comment with which a user can declare one. */
function planSecrets(served: ServedTable, { members }: TypeFields, context: PlanContext) {
  const { table, readOnlyBecause } = served
  const { file, constant } = namesOf(context, served)
  const isReadOnly = readOnlyBecause !== null
  const hidden = table.columns.filter((column) => context.secrets.has(column))
  const fields = hidden.flatMap((column): readonly PlannedField[] => {
    const member = members.get(column.name) ?? column.name
    const common = { table, engine: context.schema.engine, isReadOnly, isKey: false, isText: false }
    const { attribute } = planAttribute(column, { ...common, name: member, member })
    if (attribute === null) return []
    // A client that can sort by a secret can find it.
    return [{ ...attribute, calls: attribute.calls.filter((call) => call !== 'sortable()') }]
  })
  const columns = hidden.map((column): SecretColumn => {
    const attribute = { file, constant, name: members.get(column.name) ?? column.name }
    const isNeeded = !column.nullable && !column.hasDefault && !isReadOnly
    return { table: table.name, column: column.name, attribute, isNeeded }
  })
  return { fields, columns }
}

function keyMember(name: string, column: SchemaColumn, isNullable: boolean): RowMember {
  const type = keyRowType(column)
  return { name, type: isNullable ? `${type} | null` : type }
}

function declaredColumns(
  used: readonly SchemaColumn[],
  { members, relations }: TypeFields,
  { table, key }: ServedTable,
): readonly DeclaredColumn[] {
  const misnamed = new Map(misnamedColumns(table, members).map((declared) => [declared.member, declared]))
  const keys = new Set([...key, ...relations.flatMap(({ columns }) => columns)])
  return used.flatMap((column): readonly DeclaredColumn[] => {
    const member = members.get(column.name) ?? column.name
    const name = misnamed.get(member)?.name ?? null
    const type = keys.has(column) && isTextKey(column) ? 'text' : null
    return name === null && type === null ? [] : [{ member, name, type }]
  })
}

/** Returns the calls of the id. The id of new resources comes from the database, a relation or an attribute, or else from the client. */
function idCalls({ key, readOnlyBecause }: ServedTable, { relations, attributes }: TypeFields): readonly string[] {
  const [column, ...others] = key
  if (column === undefined || others.length > 0) return ['id()']
  const isSet = attributes.has(column) || relations.some(({ columns }) => columns.includes(column))
  const format = column.type === 'uuid' ? ['uuid()'] : []
  if (column.hasDefault || isSet || column.type === 'uuid' || readOnlyBecause !== null) return ['id()', ...format]
  const isNumber = column.type === 'integer' || column.type === 'bigint'
  return ['id()', ...(isNumber ? ['numeric()'] : []), 'requireClientId()']
}

/** Returns `unique({ with })` for each unique index over several columns, by the attribute that declares it. */
function uniqueSets(
  { table, key }: ServedTable,
  { attributes, relations }: TypeFields,
): ReadonlyMap<SchemaColumn, string> {
  const found = new Map<SchemaColumn, string>()
  const keyNames = key.map(({ name }) => name)
  for (const { unique, partial, columns: names } of table.indexes) {
    if (!unique || partial || names.length < 2 || keyNames.every((name) => names.includes(name))) continue
    const columns = names.flatMap((name) => table.columns.find((column) => column.name === name) ?? [])
    const [declaring] = columns.filter((column) => attributes.has(column) && column.generated === undefined)
    if (declaring === undefined || columns.length < names.length || found.has(declaring)) continue
    const others = columns.filter((column) => column !== declaring)
    const fields = others.flatMap((column) => {
      const relation = relations.find((each) => each.columns.length === 1 && each.columns[0] === column)
      return attributes.get(column) ?? relation?.name ?? []
    })
    if (fields.length === others.length) found.set(declaring, `unique({ with: ${listLiteral(fields)} })`)
  }
  return found
}

/** Adds a constraint before `sortable()` and `describedAs()`. */
function withCall(attribute: PlannedField, call: string | undefined): PlannedField {
  if (call === undefined || attribute.calls.includes('unique()')) return attribute
  const at = attribute.calls.findIndex((each) => /^(?:sortable|describedAs)\(/.test(each))
  const calls = at === -1 ? [...attribute.calls, call] : attribute.calls.toSpliced(at, 0, call)
  return { ...attribute, calls }
}

/** Returns the waiver of a materialized view without a unique index on its id, which `ashlar check --database` requires. */
function keyWaiver(type: string, { table, key }: ServedTable) {
  const names = key.map(({ name }) => name)
  const isIndexed = table.indexes.some(({ unique, columns }) => {
    return unique && columns.every((column) => column !== null && names.includes(column))
  })
  if (table.kind !== 'materializedView' || isIndexed) return []
  const sentence = `No unique index of the view has its id: ${indexStatement('unique index', table, names)}, and pull again.`
  const note = { kind: 'note', subject: table.name, sentence } as const
  return [{ name: `key-index:${type}`, reason: `'${table.name}' is a materialized view without a unique index.`, note }]
}

function waiverOf(type: string, { name, unindexed }: PlannedRelation) {
  if (unindexed === null) return []
  const { table, columns } = unindexed
  const reason = `No index of '${table.name}' begins with ${columns.map((column) => `'${column}'`).join(', ')}.`
  const sentence = `'${type}.${name}' reads all rows of '${table.name}', because it has no index: ${indexStatement('index', table, columns)}, and pull again.`
  return [
    {
      name: `relation-index:${type}.${name}`,
      reason,
      note: { kind: 'note', subject: `${table.name}.${columns.join(', ')}`, sentence } as const,
    },
  ]
}

function indexStatement(kind: string, table: SchemaTable, columns: readonly string[]): string {
  const name = quotedName([plainName(table), ...columns, 'index'].join('_'))
  return `create ${kind} ${name} on ${quotedTable(table.isQualified ? table.schema : null, plainName(table))} (${columns.map(quotedName).join(', ')})`
}
