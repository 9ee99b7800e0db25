import { filterTarget } from '../../serve/read/query/condition-of-filter.js'
import { momentAttribute } from '../../serve/read/query/filter-bound.js'
import type { QueriedRows } from '../../serve/read/query/query-vocabulary.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { itemKinds } from '../../declare/resource/fields/list-kinds.js'
import { stringKind } from '../../declare/resource/fields/value-kind.js'
import type { FilterSpec, FilterSpecs } from '../../declare/resource/filters/filter-spec.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { describedRules } from './constraint-schema.js'
import { deprecatedMembers } from './deprecated-members.js'
import { filterDescription } from './filter-sentence.js'
import { annotatedSchema, mergedSchema } from './merged-schema.js'
import type { EnumerationSchema } from './value-schema.js'

/** The filters of an endpoint, with the rows that they filter. */
export interface DescribedFilters {
  readonly filters: FilterSpecs
  readonly rows: QueriedRows
  readonly maxValues: number
  readonly enumerations: EnumerationSchema
  /** Whether each filter has a sentence about what it finds. */
  readonly isDescribed: boolean
}

/** Returns one parameter for each filter: `filter[key]`. */
export function filterParameters(described: DescribedFilters): readonly JsonSchema[] {
  return Object.entries(described.filters).map(([key, spec]) => filterParameter(key, spec, described))
}

function filterParameter(key: string, spec: FilterSpec, described: DescribedFilters): JsonSchema {
  const { examples, deprecation } = spec
  return {
    name: `filter[${key}]`,
    in: 'query',
    ...(described.isDescribed ? { description: filterDescription(key, spec, described.rows) } : {}),
    ...deprecatedMembers(deprecation),
    ...styleOf(spec),
    schema: annotatedSchema(shapeSchema(key, spec, described), { description: null, examples }),
    ...defaultMember(spec.default),
  }
}

/** Returns the member `default` of a filter; none if JSON does not have the value. */
function defaultMember(given: FilterSpec['default']): JsonSchema {
  const values: readonly unknown[] = Array.isArray(given?.value) ? given.value : [given?.value]
  return values.every((value) => ['string', 'number', 'boolean'].includes(typeof value))
    ? { 'x-default': given?.value }
    : {}
}

const styles: ReadonlyMap<string, string> = new Map([
  [',', 'form'],
  [' ', 'spaceDelimited'],
  ['|', 'pipeDelimited'],
])

/** Returns the style of a parameter. OpenAPI has no style for other delimiters: lists with these are described as texts. */
function styleOf({ shape, delimiter }: FilterSpec): JsonSchema {
  if (shape === 'range') return { style: 'deepObject', explode: true }
  const style = shape === 'set' ? styles.get(delimiter) : undefined
  return style === undefined ? {} : { style, explode: false }
}

function shapeSchema(key: string, spec: FilterSpec, described: DescribedFilters): JsonSchema {
  const { shape, delimiter } = spec
  switch (shape) {
    case 'presence':
      return { type: 'string' }
    case 'set': {
      const items = filterValue(key, spec, described)
      if (!styles.has(delimiter)) return { type: 'string', description: `Values are separated by '${delimiter}'.` }
      return { type: 'array', items, maxItems: described.maxValues }
    }
    case 'range': {
      const bound = boundSchema(key, spec, described)
      const properties = {
        min: annotatedSchema(bound, { description: described.isDescribed ? 'The lowest value that matches.' : null }),
        max: annotatedSchema(bound, { description: described.isDescribed ? 'The highest value that matches.' : null }),
      }
      return { type: 'object', properties, additionalProperties: false }
    }
    case 'value':
      return filterValue(key, spec, described)
  }
}

/** Returns the schema of a bound. A bound of moments may also be a day. */
function boundSchema(key: string, spec: FilterSpec, described: DescribedFilters): JsonSchema {
  if (spec.test.kind !== 'range' || !spec.test.moments || spec.deserialize !== null) {
    return filterValue(key, spec, described)
  }
  const { kind } = momentAttribute({ spec, target: filterTarget({ key, spec }, described.rows) })
  return { type: 'string', examples: [kind.moment?.write(new Date(Date.UTC(2026, 0, 31))) ?? '2026-01-31'] }
}

/** Returns the schema of one value of a filter. */
function filterValue(key: string, spec: FilterSpec, { rows, enumerations }: DescribedFilters): JsonSchema {
  const { constraints, coercion, deserialize, test } = spec
  const named = constraints.find((rule) => isNamed(rule) && typeOfName[rule.name] !== undefined)
  const declared = named !== undefined && isNamed(named) ? typeOfName[named.name] : undefined
  // Without a rule for the texts of booleans, every unknown text means false.
  const form = deserialize !== null || (coercion === 'boolean' && declared === undefined) ? anyText : null
  const schema = form ?? declared ?? targetSchema(key, spec, { rows, enumerations })
  // The texts of numbers and booleans are described by their types.
  const others = constraints.filter((rule) => !(isNamed(rule) && typeOfName[rule.name] !== undefined))
  const isOpen = test.kind === 'custom' || test.kind === 'composed' || test.kind === 'all' || test.kind === 'any'
  const rules = describedRules(others, null, stringKind).schemas
  return mergedSchema(isOpen && declared === undefined && form === null ? {} : schema, ...fitting(rules, schema))
}

const anyText: JsonSchema = Object.freeze({ type: 'string' })

/** The types that texts spell, by the names of the rules for such texts. */
const typeOfName: Readonly<Record<string, JsonSchema | undefined>> = Object.freeze({
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

function targetSchema(
  key: string,
  spec: FilterSpec,
  { rows, enumerations }: Pick<DescribedFilters, 'rows' | 'enumerations'>,
): JsonSchema {
  const { test, coercion } = spec
  if (coercion === 'number') return { type: 'number' }
  const isSearch = (test.kind === 'compare' || test.kind === 'through') && searches.includes(test.operator)
  if (isSearch) return anyText
  const attribute = filterTarget({ key, spec }, rows)?.attribute ?? null
  return attribute === null ? anyText : attributeValue(attribute, enumerations)
}

const searches: readonly string[] = ['like', 'starts', 'ends']

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
