import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { TypeContract } from '../contract/contract.js'
import type { Api } from './described-server.js'

/**
 * Returns the members that mark the operations of a type as deprecated, like the headers of its responses.
 *
 * @param type `null` for operations that belong to no type
 */
export function deprecatedByHeaders({ contract }: Api, type: TypeContract | null): JsonSchema {
  const headers = type === null ? contract.headers : type.headers.always
  const sunset = dateIn(headers[headers.indexOf('Sunset') + 1], headers.includes('Sunset'))
  return {
    ...(headers.includes('Deprecation') ? { deprecated: true } : {}),
    ...(sunset === null ? {} : { 'x-sunset': sunset }),
  }
}

/** Returns the date of a header as ISO 8601; `null` if its text is not a date, since the application may set any text. */
function dateIn(text: string | undefined, isGiven: boolean): string | null {
  const date = new Date(isGiven && text !== undefined ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z')
}
