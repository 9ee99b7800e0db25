import type { FilterContract } from '../contract/contract.js'
import { schemaType } from './schema-text.js'
import type { TypeMember } from './type-text.js'
import { listType, objectType } from './type-text.js'

/** Returns the object type of `filter`. */
export function filtersType(filters: Readonly<Record<string, FilterContract>>): string {
  return objectType(
    Object.entries(filters).map(([name, filter]): TypeMember => {
      return { name, type: filterType(filter), comment: filter.description ?? '' }
    }),
  )
}

const scalar = 'string | number | boolean'

function filterType({ form, compared }: FilterContract): string {
  switch (form) {
    case 'field':
      return comparedText(compared)
    case 'fields':
      return listType(comparedText(compared))
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

function comparedText(compared: FilterContract['compared']): string {
  return Object.keys(compared).length === 0 ? scalar : schemaType(compared)
}

function rangeType(bound: string): string {
  return `{ min?: ${bound} | undefined; max?: ${bound} | undefined }`
}
