import { filterParameters } from '../openapi/filter-parameters.js'
import { offeredFilters } from '../contract/offered-keys.js'
import { enumerationSchema } from '../openapi/value-schema.js'
import { primaryVocabulary } from '../../serve/read/query/query-vocabulary.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { FilterSpec } from '../../declare/resource/filters/filter-spec.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Html } from './html.js'
import { html, nothing } from './html.js'
import { code, commaList, prose, table } from './prose.js'

/** Returns the table of the filters of a type. */
export function filterTable(served: ServedType, maxValues: number): Html {
  const vocabulary = primaryVocabulary(served)
  const filters = offeredFilters(vocabulary)
  const parameters = filterParameters({
    isDescribed: true,
    filters,
    rows: vocabulary,
    maxValues,
    enumerations: enumerationSchema,
  })
  const rows = Object.entries(filters).map(([key, spec], index) => {
    const { description, schema } = parameters[index] ?? {}
    const { delimiter } = spec
    return [
      code(key),
      html`${parametersOf(key, spec)}`,
      valueWords(schema as JsonSchema, delimiter),
      html`${typeof description === 'string' ? prose(description) : nothing}${spec.usableIf === null ? nothing : html` <span class="mark">Only for some callers.</span>`}`,
    ]
  })
  return rows.length === 0 ? nothing : table('Filters', ['Key', 'Parameter', 'Value', 'About'], rows)
}

function parametersOf(key: string, { shape }: FilterSpec): Html {
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
