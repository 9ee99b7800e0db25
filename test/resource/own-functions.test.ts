import { atomic, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { DataSource, Persister, Provider, ReadFunctions, WriteShortcuts } from 'ashlar/store'
import { describe, expect, test } from 'vitest'
import { ownShortcuts, scopeReaders } from '../../src/declare/resource/capabilities/own-functions.js'
import { batchClient } from '../atomic/batch-client.js'

/*
 * What a store states about its functions holds for these functions only. A function that replaces one of them would else be
 * passed by, or get conditions that it does not know.
 */

const functions: Required<Pick<Persister, keyof WriteShortcuts>> = {
  create: () => ({}),
  update: () => null,
  delete: () => false,
  mutateRelationship: () => undefined,
}

const nothing = (): null => null

const persister: Persister = {
  ...functions,
  shortcuts: {
    create: { insteadOf: functions.create, many: nothing },
    update: { insteadOf: functions.update, autocommit: nothing },
    delete: { insteadOf: functions.delete, autocommit: nothing },
    mutateRelationship: { insteadOf: functions.mutateRelationship, autocommit: () => false },
  },
}

const reads: ReadFunctions = {
  fetchOne: nothing,
  fetchCollection: () => [],
  fetchRelated: () => ({ sets: [], groups: [] }),
  countRelated: () => [],
  fetchGroups: () => ({ groups: [], total: null, more: false, omits: false }),
}

describe('shortcuts', () => {
  test('of functions that the persister has are its own', () => {
    expect(ownShortcuts(persister)).toEqual(persister.shortcuts)
    expect(ownShortcuts({ ...persister })).toEqual(persister.shortcuts)
    expect(ownShortcuts(null)).toEqual({})
    expect(ownShortcuts(functions)).toEqual({})
  })

  test.each(['create', 'update', 'delete', 'mutateRelationship'] as const)(
    'of %s are left out if the function is replaced',
    (method) => {
      const replaced = { ...persister, [method]: () => ({}) }
      const { [method]: _left, ...others } = persister.shortcuts ?? {}
      expect(ownShortcuts(replaced)).toEqual(others)
    },
  )
})

describe('scopes', () => {
  test('are accepted by the functions that the provider names', () => {
    const provider: Provider = { ...reads, acceptsScopes: reads }
    const all = { fetchOne: true, fetchCollection: true, fetchRelated: true, countRelated: true, fetchGroups: true }
    expect(scopeReaders(provider)).toEqual(all)
    expect(scopeReaders({ ...provider, fetchOne: () => null })).toEqual({ ...all, fetchOne: false })
    expect(scopeReaders(reads)).toEqual({
      ...all,
      fetchOne: false,
      fetchCollection: false,
      fetchRelated: false,
      countRelated: false,
      fetchGroups: false,
    })
    const { fetchRelated: _one, countRelated: _two, ...lists } = reads
    expect(scopeReaders({ ...lists, acceptsScopes: reads })).toMatchObject({ fetchRelated: false, countRelated: false })
  })
})

interface Note {
  id: number
  text: string
}

/** A persister of a class: its functions need `this`. It counts the rows that its shortcut writes. */
class CountedPersister implements Persister {
  readonly #inner: Persister
  readonly #counts: { many: number }
  readonly shortcuts: WriteShortcuts

  constructor(inner: Persister, counts: { many: number }) {
    this.#inner = inner
    this.#counts = counts
    this.shortcuts = {
      create: {
        insteadOf: this.create,
        many: (type, rows, write) => {
          this.#counts.many += rows.length
          return this.#inner.shortcuts?.create?.many?.(type, rows, write) ?? null
        },
      },
    }
  }

  readonly create: Persister['create'] = (...given) => this.#inner.create(...given)

  update(...given: Parameters<Persister['update']>): ReturnType<Persister['update']> {
    return this.#inner.update(...given)
  }

  delete(...given: Parameters<Persister['delete']>): ReturnType<Persister['delete']> {
    return this.#inner.delete(...given)
  }
}

/** Creates two notes in a batch. Returns the number of rows that the shortcut of the store wrote. */
async function writtenTogether(declared?: (store: Persister) => Persister): Promise<number> {
  const counts = { many: 0 }
  const memory = memoryData({ notes: [] })
  const data: DataSource = {
    ...memory,
    persister: (type) => {
      const inner = memory.persister(type)
      return inner === null ? null : new CountedPersister(inner, counts)
    },
  }
  const notes = defineResource('notes', {
    model: model<Note>('notes'),
    id: id(),
    attributes: (a) => ({ text: a.string() }),
    ...(declared && { persister: declared }),
  })
  const server = createServer({ resources: [notes], data, extensions: [atomic()], access: 'open' })
  const additions = ['A', 'B'].map((text) => ({ op: 'add', data: { type: 'notes', attributes: { text } } }))
  expect(await batchClient(server).results(additions)).toHaveLength(2)
  return counts.many
}

describe('a batch', () => {
  test('is written by the shortcut of a store, also if its persister is a class', async () => {
    expect(await writtenTogether()).toBe(2)
  })

  test('is written by the shortcut if a declaration replaces another function', async () => {
    expect(await writtenTogether((store) => ({ ...store, delete: () => false }))).toBe(2)
  })

  test('is written row by row if a declaration replaces create', async () => {
    const texts: unknown[] = []
    const together = await writtenTogether((store) => ({
      ...store,
      create(type, values, write) {
        texts.push(values['text'])
        return store.create(type, values, write)
      },
    }))
    expect({ together, texts }).toEqual({ together: 0, texts: ['A', 'B'] })
  })
})
