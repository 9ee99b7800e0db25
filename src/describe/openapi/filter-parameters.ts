import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { FilterContract } from '../contract/contract.js'
import { deprecatedMembers } from '../contract/deprecated-members.js'
import { annotatedSchema } from '../contract/merged-schema.js'

export interface FilterOptions {
  /** The maximum number of values of a filter. */
  readonly maxValues: number
  /** Whether the filter has a sentence about what it finds. */
  readonly isDescribed: boolean
  /** Whether a match of a singular filter is shown without a list. In a list of related resources, every match is shown. */
  readonly isPrimary: boolean
}

/** Returns the parameter of a filter: `filter[key]`. */
export function filterParameter(key: string, filter: FilterContract, options: FilterOptions): JsonSchema {
  const { sentence, isSingular, examples, deprecation } = filter
  const outcome =
    isSingular && options.isPrimary ? ' The response has the first match, or null, instead of a list.' : ''
  return {
    name: `filter[${key}]`,
    in: 'query',
    ...(options.isDescribed ? { description: `${sentence}${outcome}` } : {}),
    ...deprecatedMembers(deprecation),
    ...styleOf(filter),
    schema: annotatedSchema(shapeSchema(filter, options), { description: null, examples }),
    ...(filter.default === null ? {} : { 'x-default': filter.default }),
    ...(filter.isSearch ? { 'x-search': true } : {}),
  }
}

const styles: ReadonlyMap<string, string> = new Map([
  [',', 'form'],
  [' ', 'spaceDelimited'],
  ['|', 'pipeDelimited'],
])

/** Returns the style of a parameter. OpenAPI has no style for other delimiters: lists with these are described as texts. */
function styleOf({ shape, delimiter }: FilterContract): JsonSchema {
  if (shape === 'range') return { style: 'deepObject', explode: true }
  const style = shape === 'set' ? styles.get(delimiter) : undefined
  return style === undefined ? {} : { style, explode: false }
}

function shapeSchema(filter: FilterContract, { maxValues, isDescribed }: FilterOptions): JsonSchema {
  const { shape, delimiter, value } = filter
  const described = (description: string): JsonSchema =>
    annotatedSchema(value, { description: isDescribed ? description : null })
  switch (shape) {
    case 'presence':
      return { type: 'string' }
    case 'set':
      if (!styles.has(delimiter)) return { type: 'string', description: `Values are separated by '${delimiter}'.` }
      return { type: 'array', items: value, maxItems: maxValues }
    case 'range': {
      const properties = {
        min: described('The lowest value that matches.'),
        max: described('The highest value that matches.'),
      }
      return { type: 'object', properties, additionalProperties: false }
    }
    case 'value':
      return value
  }
}
