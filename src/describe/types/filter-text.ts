import type { AttributeSpec, ChildSpecs } from '../../declare/resource/fields/attribute-declaration.js'
import type { FilterSpec, FilterSpecs } from '../../declare/resource/filters/filter-spec.js'
import type { FilterForm } from '../../declare/resource/filters/filter-types.js'
import { comparedType } from './attribute-text.js'
import type { TypeMember } from './type-text.js'
import { listType, objectType } from './type-text.js'

/** The names that filters may compare: the attributes of a type, and the fields of its join rows. */
export interface ComparedFields {
  attribute(name: string): AttributeSpec | undefined
  readonly pivot: ChildSpecs
  /** Whether a key is the name of a relation that is filterable. */
  isFilterable(key: string): boolean
}

/** Returns the object type of `filter`. */
export function filtersType(filters: FilterSpecs, fields: ComparedFields): string {
  return objectType(
    Object.entries(filters).map(([name, spec]): TypeMember => {
      return { name, type: filterType(name, spec, fields), comment: spec.description ?? '' }
    }),
  )
}

const scalar = 'string | number | boolean'

function filterType(key: string, spec: FilterSpec, fields: ComparedFields): string {
  // The filter of a relation that is filterable compares ids.
  if (spec.test.kind === 'through' && spec.test.path === `${key}.id` && fields.isFilterable(key)) return 'string'
  const form = filterForm(spec)
  switch (form) {
    case 'field':
      return valueType(key, spec, fields)
    case 'fields':
      return listType(valueType(key, spec, fields))
    case 'text':
      return 'string'
    case 'texts':
      return listType('string')
    case 'number':
    case 'boolean':
      return form
    case 'numbers':
      return listType('number')
    case 'any':
    case 'open':
      return scalar
    case 'anys':
    case 'opens':
      return listType(scalar)
    case 'numberRange':
      return rangeType('number')
    case 'momentRange':
      return rangeType('string')
    case 'openRange':
      return rangeType(scalar)
    case 'presence':
      return 'true'
  }
}

function rangeType(bound: string): string {
  return `{ min?: ${bound} | undefined; max?: ${bound} | undefined }`
}

function valueType(key: string, { test }: FilterSpec, fields: ComparedFields): string {
  const target = (test.kind === 'compare' || test.kind === 'in' ? test.column : null) ?? key
  const spec =
    fields.attribute(target) ?? (target.startsWith('pivot.') ? fields.pivot[target.slice('pivot.'.length)] : undefined)
  if (spec !== undefined) return comparedType(spec)
  return target === 'id' ? 'string' : scalar
}

/** Returns the form of the value that a client sends for a filter. The rules are those of `Filter`, so that both sources of a contract agree. */
function filterForm(spec: FilterSpec): FilterForm {
  const { shape, test, deserialize } = spec
  switch (shape) {
    case 'presence':
      return 'presence'
    case 'range':
      if (deserialize !== null) return 'openRange'
      return test.kind === 'range' && test.moments ? 'momentRange' : 'numberRange'
    case 'set':
      return setForms[valueForm(spec)]
    case 'value':
      return valueForm(spec)
  }
}

type ValueForm = 'field' | 'text' | 'number' | 'boolean' | 'any' | 'open'

const setForms: Readonly<Record<ValueForm, FilterForm>> = Object.freeze({
  field: 'fields',
  text: 'texts',
  number: 'numbers',
  boolean: 'fields',
  any: 'anys',
  open: 'opens',
})

const namedForms: Readonly<Record<string, ValueForm>> = Object.freeze({
  numeric: 'number',
  integer: 'number',
  boolean: 'boolean',
})

const searches: readonly string[] = ['like', 'starts', 'ends']

function valueForm({ test, deserialize, coercion, constraints }: FilterSpec): ValueForm {
  if (deserialize !== null) return 'open'
  const named = constraints.findLast((rule) => rule.kind === 'schema' && Object.hasOwn(namedForms, rule.name))
  if (named?.kind === 'schema') return namedForms[named.name] ?? 'any'
  if (coercion !== 'field') return coercion
  switch (test.kind) {
    case 'compare':
      return searches.includes(test.operator) ? 'text' : 'field'
    case 'through':
      return searches.includes(test.operator) ? 'text' : 'any'
    case 'in':
      return 'field'
    case 'idIn':
      return 'text'
    default:
      return 'any'
  }
}
