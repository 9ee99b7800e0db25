import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { FilterSpec } from '../../declare/resource/filters/filter-spec.js'
import type { FilterForm } from '../../declare/resource/filters/filter-types.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { QueriedRows } from '../../serve/read/query/query-vocabulary.js'
import { pivotPrefix } from '../../serve/read/query/query-vocabulary.js'
import { comparedType } from './declared-types.js'
import { searches, typeOfName } from './filter-schema.js'

/** The rows that the filters and sorts of a type or of a relation are about. */
export interface FilteredRows {
  readonly owner: ServedType
  /** The relation that declares the filters; `null` for those of the type. */
  readonly relation: ServedRelation | null
  /** `null` if clients cannot query the rows: those of several types, or of types that the server does not have. */
  readonly queried: QueriedRows | null
}

/**
 * Returns the declared type of the values that a filter compares with. The compiler knows the attributes of the type that declares it, and the
 * fields of join rows; the type of other values is not known: an empty schema.
 */
export function comparedWith(key: string, { test }: FilterSpec, { owner, relation }: FilteredRows): JsonSchema {
  const target = (test.kind === 'compare' || test.kind === 'in' ? test.column : null) ?? key
  const spec: AttributeSpec | undefined =
    relation === null
      ? owner.type.attributeNamed.get(target)?.spec
      : target.startsWith(pivotPrefix)
        ? relation.spec.pivot[target.slice(pivotPrefix.length)]
        : undefined
  if (spec !== undefined) return comparedType(spec)
  return target === 'id' ? { type: 'string' } : {}
}

/** Returns the form of the value that a client sends for a filter. The rules are those of `Filter`, so that both sources of a contract agree. */
export function filterForm(spec: FilterSpec): FilterForm {
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

function valueForm({ test, deserialize, coercion, constraints }: FilterSpec): ValueForm {
  if (deserialize !== null) return 'open'
  const names = constraints.flatMap((rule) => (rule.kind === 'schema' ? [rule.name] : []))
  const named = typeOfName[names.findLast((name) => typeOfName[name] !== undefined) ?? '']
  if (named !== undefined) return named['type'] === 'boolean' ? 'boolean' : 'number'
  if (coercion !== 'field') return coercion
  switch (test.kind) {
    case 'compare':
      return searches.includes(test.operator) ? 'text' : 'field'
    case 'through':
      return searches.includes(test.operator) ? 'text' : 'any'
    case 'in':
      return 'field'
    case 'idIn':
    case 'search':
      return 'text'
    default:
      return 'any'
  }
}
