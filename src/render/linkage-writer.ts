import type { Identifier } from '../resource/identifier.js'
import { json, jsonText } from './json.js'

/** A list of identifiers, one, or none. */
export type Linkage = readonly Identifier[] | Identifier | null

/** Appends resource linkage to a text. */
export type LinkageWriter = (text: string, data: Linkage) => string

/** Compiled for the types that identifiers are likely to have. */
export function linkageWriter(types: readonly string[]): LinkageWriter {
  const openings = new Map(types.map((type) => [type, openingOf(type)]))
  const [usual] = types
  const usually = usual === undefined ? '' : openingOf(usual)
  const append = (text: string, { type, id, meta }: Identifier): string => {
    const opening = type === usual ? usually : (openings.get(type) ?? openingOf(type))
    const identity = text + opening + jsonText(id)
    return meta === null || Object.keys(meta).length === 0 ? `${identity}}` : `${identity},"meta":${json(meta)}}`
  }
  return (text, data) => {
    if (data === null) return `${text}null`
    if ('type' in data) return append(text, data)
    let all = `${text}[`
    let some = false
    for (const identifier of data) {
      all = append(some ? `${all},` : all, identifier)
      some = true
    }
    return `${all}]`
  }
}

function openingOf(type: string): string {
  return `{"type":${json(type)},"id":`
}
