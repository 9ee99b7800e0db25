import { type AnyResource, createServer, defineResource, id, model } from 'ashlar'
import { expect } from 'vitest'
import { client } from './client.js'
import { shown } from './shown.js'
import { storedData } from './stored-data.js'

type Row = Readonly<Record<string, unknown>>

/** Declarations that are put together member by member, which is more than the compiler follows. */
const declare = defineResource as unknown as (type: string, members: object) => AnyResource

/** A type with relations over the rows of its own name, or with another model. */
export function typeWith(name: string, relations: object = {}, others: object = {}): AnyResource {
  return declare(name, { model: model<Row>(name), id: id(), relations, ...others })
}

export type ReadLinkage = (resource: string, relation: string) => Promise<readonly string[] | null>

/** Reads linkage in short: `await read('/albums/1', 'artist')`. */
export function linkageReader(
  resources: readonly AnyResource[],
  rows: Readonly<Record<string, readonly Row[]>>,
): ReadLinkage {
  const api = client(createServer({ resources, data: storedData(rows) }))
  return async (resource, relation) => {
    const linkage = (await api.get(`${resource}/relationships/${relation}`)).document?.data
    const related = (await api.get(`${resource}/${relation}`)).document?.data
    const { document } = await api.get(`${resource}?include=${relation}`)
    // Linked members are those of the related read, and the included ones, wherever they are stored.
    expect(shown(related ?? [])).toEqual(shown(linkage ?? []))
    expect(shown(document?.included)).toEqual(shown(linkage ?? []))
    if (linkage === undefined) throw new Error(`There is no linkage at ${resource}/relationships/${relation}.`)
    return linkage === null ? null : shown(linkage)
  }
}
