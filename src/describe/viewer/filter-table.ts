import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Contract, FilterContract, TypeContract } from '../contract/contract.js'
import { offeredFilters } from '../contract/listed-keys.js'
import { inlined } from '../openapi/enumerations.js'
import { filterParameter } from '../openapi/filter-parameters.js'
import type { Html } from './html.js'
import { html, nothing } from './html.js'
import { code, commaList, prose, table } from './prose.js'

/** Returns the table of the filters of a type. */
export function filterTable(contract: Contract, type: TypeContract): Html {
  const options = { maxValues: contract.limits.filterValues, isDescribed: true, isPrimary: true }
  const rows = offeredFilters(type).map(([key, filter]) => {
    const { description, schema } = inlined(contract, filterParameter(key, filter, options))
    const { isConditional, delimiter } = filter
    return [
      code(key),
      html`${parametersOf(key, filter)}`,
      valueWords(schema as JsonSchema, delimiter),
      html`${prose(String(description))}${isConditional ? html` <span class="mark">Only for some callers.</span>` : nothing}`,
    ]
  })
  return rows.length === 0 ? nothing : table('Filters', ['Key', 'Parameter', 'Value', 'About'], rows)
}

function parametersOf(key: string, { shape }: FilterContract): Html {
  if (shape !== 'range') return code(`filter[${key}]`)
  return commaList([code(`filter[${key}][min]`), code(`filter[${key}][max]`)])
}

const delimiters: Readonly<Record<string, string>> = Object.freeze({ ',': 'commas', ' ': 'spaces', '|': '|' })

/** Describes the values that a schema allows. */
function valueWords(schema: JsonSchema, delimiter: string): Html {
  const { type, format, items, properties, anyOf, enum: values } = schema
  if (Array.isArray(values)) return commaList(values.map((value) => code(String(value))))
  if (Array.isArray(anyOf)) return valueWords((anyOf[0] ?? {}) as JsonSchema, delimiter)
  if (type === 'array') {
    return html`list of ${valueWords((items ?? {}) as JsonSchema, delimiter)}, separated by ${delimiters[delimiter] ?? delimiter}`
  }
  if (type === 'object') {
    const { min = {} } = (properties ?? {}) as Readonly<Record<string, JsonSchema>>
    return html`range of ${valueWords(min, delimiter)}`
  }
  return html`${typeof format === 'string' ? format : typeof type === 'string' ? type : 'any'}`
}
