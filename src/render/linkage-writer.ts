import type { Identifier } from '../resource/identifier.js'
import { json } from './json.js'

/** A list of identifiers, one, or none. */
export type Linkage = readonly Identifier[] | Identifier | null

/** Appends resource linkage to a text. */
export type LinkageWriter = (text: string, data: Linkage) => string

/** Compiled for the types that identifiers are likely to have. */
export function linkageWriter(types: readonly string[]): LinkageWriter {
  const openings = new Map(types.map((type) => [type, openingOf(type)]))
  const append = (text: string, { type, id, meta }: Identifier): string => {
    const identity = text + (openings.get(type) ?? openingOf(type)) + json(id)
    return meta === null || Object.keys(meta).length === 0 ? `${identity}}` : `${identity},"meta":${json(meta)}}`
  }
  return (text, data) => {
    if (data === null) return `${text}null`
    if ('type' in data) return append(text, data)
    let all = `${text}[`
    for (const [index, identifier] of data.entries()) all = append(index === 0 ? all : `${all},`, identifier)
    return `${all}]`
  }
}

function openingOf(type: string): string {
  return `{"type":${json(type)},"id":`
}
