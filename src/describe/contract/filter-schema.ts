import type { KeyedFilter } from '../../serve/read/query/condition-of-filter.js'
import { filterTarget } from '../../serve/read/query/condition-of-filter.js'
import { momentAttribute } from '../../serve/read/query/filter-bound.js'
import type { QueriedRows } from '../../serve/read/query/query-vocabulary.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { itemKinds } from '../../declare/resource/fields/list-kinds.js'
import { stringKind } from '../../declare/resource/fields/value-kind.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { describedRules } from './constraint-schema.js'
import { mergedSchema } from './merged-schema.js'
import type { EnumerationSchema } from './value-schema.js'

/** Returns the schema of one value of a filter, or of one bound of a range. A bound of moments may also be a day. */
export function filterSchema(filter: KeyedFilter, rows: QueriedRows, enumerations: EnumerationSchema): JsonSchema {
  const { spec } = filter
  if (spec.test.kind !== 'range' || !spec.test.moments || spec.deserialize !== null) {
    return valueSchema(filter, rows, enumerations)
  }
  const { kind } = momentAttribute({ spec, target: filterTarget(filter, rows) })
  return { type: 'string', examples: [kind.moment?.write(new Date(Date.UTC(2026, 0, 31))) ?? '2026-01-31'] }
}

function valueSchema(filter: KeyedFilter, rows: QueriedRows, enumerations: EnumerationSchema): JsonSchema {
  const { constraints, coercion, deserialize, test } = filter.spec
  const named = constraints.find((rule) => isNamed(rule) && typeOfName[rule.name] !== undefined)
  const declared = named !== undefined && isNamed(named) ? typeOfName[named.name] : undefined
  // Without a rule for the texts of booleans, every unknown text means false.
  const form = deserialize !== null || (coercion === 'boolean' && declared === undefined) ? anyText : null
  const schema = form ?? declared ?? targetSchema(filter, rows, enumerations)
  // The texts of numbers and booleans are described by their types.
  const others = constraints.filter((rule) => !(isNamed(rule) && typeOfName[rule.name] !== undefined))
  const isOpen = test.kind === 'custom' || test.kind === 'composed' || test.kind === 'all' || test.kind === 'any'
  const rules = describedRules(others, null, stringKind).schemas
  return mergedSchema(isOpen && declared === undefined && form === null ? {} : schema, ...fitting(rules, schema))
}

const anyText: JsonSchema = Object.freeze({ type: 'string' })

/** The types that texts spell, by the names of the rules for such texts. */
export const typeOfName: Readonly<Record<string, JsonSchema | undefined>> = Object.freeze({
  numeric: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
})

function isNamed(rule: Constraint): rule is Extract<Constraint, { kind: 'schema' }> {
  return rule.kind === 'schema'
}

/** Leaves out rules for texts if the values are described as numbers. */
function fitting(rules: readonly JsonSchema[], { type }: JsonSchema): readonly JsonSchema[] {
  if (type === 'string' || type === undefined) return rules
  return rules.filter((rule) => !('pattern' in rule || 'minLength' in rule || 'maxLength' in rule || 'format' in rule))
}

function targetSchema(filter: KeyedFilter, rows: QueriedRows, enumerations: EnumerationSchema): JsonSchema {
  const { test, coercion } = filter.spec
  if (coercion === 'number') return { type: 'number' }
  const isSearch = (test.kind === 'compare' || test.kind === 'through') && searches.includes(test.operator)
  if (isSearch) return anyText
  const attribute = filterTarget(filter, rows)?.attribute ?? null
  return attribute === null ? anyText : attributeValue(attribute, enumerations)
}

export const searches: readonly string[] = ['like', 'starts', 'ends']

/** Returns the schema of a value of an attribute; of an item for lists. Formats of texts are left out: a text of another form is valid, and matches nothing. */
function attributeValue({ kind, items, enumeration }: AttributeSpec, enumerations: EnumerationSchema): JsonSchema {
  if (enumeration !== null && enumeration.name !== null && !kind.families.includes('list')) {
    return { anyOf: [enumerations(enumeration), anyText] }
  }
  if (kind.moment?.schemaFormat !== undefined && kind.moment?.schemaFormat !== null) {
    return { type: 'string', format: kind.moment.schemaFormat }
  }
  if (kind.families.includes('list')) return { type: itemKinds[items ?? 'string'].schema['type'] }
  const { type } = kind.schema
  return type === 'integer' || type === 'number' || type === 'boolean' ? { type } : anyText
}
