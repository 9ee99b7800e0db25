import type { Identifier } from '../../declare/resource/parts/identifier.js'
import { json, jsonText } from './json.js'

/** Resource linkage: a list of identifiers, one identifier, or `null`. */
export type Linkage = readonly Identifier[] | Identifier | null

/** Appends resource linkage to a text. */
export type LinkageWriter = (text: string, data: Linkage) => string

/** Creates a writer with prepared text for the types that the identifiers are likely to have. Other types work too. */
export function linkageWriter(types: readonly string[]): LinkageWriter {
  const openings = new Map(types.map((type) => [type, openingOf(type)]))
  const [firstType] = types
  const firstOpening = firstType === undefined ? '' : openingOf(firstType)
  const append = (text: string, { type, id, meta }: Identifier): string => {
    const opening = type === firstType ? firstOpening : (openings.get(type) ?? openingOf(type))
    const identity = text + opening + jsonText(id)
    return meta === null || Object.keys(meta).length === 0 ? `${identity}}` : `${identity},"meta":${json(meta)}}`
  }
  return (text, data) => {
    if (data === null) return `${text}null`
    if ('type' in data) return append(text, data)
    let result = `${text}[`
    let hasItems = false
    for (const identifier of data) {
      result = append(hasItems ? `${result},` : result, identifier)
      hasItems = true
    }
    return `${result}]`
  }
}

function openingOf(type: string): string {
  return `{"type":${json(type)},"id":`
}
