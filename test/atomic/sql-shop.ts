import { atomic, belongsTo, createServer, defineResource, type Handler, hasMany, id } from 'ashlar'
import type { Persister } from 'ashlar/store'
import { table } from 'ashlar/sql'
import { inject, test } from 'vitest'
import { add, batchClient, type BatchClient, linked } from './batch-client.js'
import { type TestStore, testStore } from './sql-store.js'

/** Albums, labels and tracks in a store as a user has it. */

const tables = `
  create table albums (id KEY, title text not null default 'Untitled', code text unique, parent_id integer);
  create table labels (id text primary key, name text);
  create table tracks (id KEY, title text, album_id integer references albums (id));`

interface AlbumRow {
  id: number
  title: string
  code: string | null
  parentId: number | null
}

export interface Shop extends TestStore {
  readonly api: BatchClient
}

export interface Options {
  readonly albums?: object
  readonly labels?: object
  readonly tracks?: object
  /** Prevents operations from being written together: each passes a user-defined handler. */
  readonly isOneByOne?: boolean
}

const oneByOne =
  (builtIn: Handler): Handler =>
  (operation) =>
    builtIn(operation)

export async function shop({ albums = {}, labels = {}, tracks = {}, isOneByOne = false }: Options = {}): Promise<Shop> {
  const store = await testStore(tables, { naming: 'snake_case' })
  const resources = [
    defineResource('albums', {
      model: table<AlbumRow>('albums'),
      id: id().allowClientId(),
      attributes: (a) => ({ title: a.string().maxLength(20), code: a.string().nullable().unique() }),
      relations: { parent: belongsTo('albums').nullable(), tracks: hasMany('tracks') },
      ...albums,
    }),
    defineResource('labels', {
      model: table<{ id: string; name: string | null }>('labels'),
      id: id().uuid().generated().allowClientId(),
      attributes: (a) => ({ name: a.string().nullable().sortable() }),
      ...labels,
    }),
    defineResource('tracks', {
      model: table<{ id: number; title: string; albumId: number | null }>('tracks'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      relations: { album: belongsTo('albums').nullable() },
      ...tracks,
    }),
  ] as never
  const handler = isOneByOne ? { handler: oneByOne } : {}
  const server = createServer({ resources, data: store.data, extensions: [atomic()], ...handler })
  return { ...store, api: batchClient(server) }
}

export const album = (title: string, others: object = {}): object => add('albums', { title }, others)
export const albums = (count: number): readonly object[] =>
  Array.from({ length: count }, (_each, index) => album(`Album ${index}`))
/** The results that show the sent values. */
export const shownBy = (operations: readonly object[]): readonly object[] =>
  operations.map((each) => ({ data: (each as { data: object }).data }))
export const parent = (identifier: object): object => ({ relationships: { parent: linked(identifier) } })

/** For behaviour that only a database has, or shows. */
export const onSql: typeof test = test.runIf(inject('store') !== 'memory') as typeof test

/** A persister with a user-defined `create`. */
export function decoratedPersister(store: Persister): Persister {
  return {
    ...store,
    create: (type, values, write) => store.create(type, { ...values, title: `* ${String(values['title'])}` }, write),
  }
}
