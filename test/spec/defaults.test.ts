import { atomic, authenticate, createServer, defineResource, id, model } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

/** Columns that a new row gets, unless the client sends values for them. */

interface NoteRow {
  readonly id: number
  readonly text: string
  readonly ownerId: number
}

const callers: Readonly<Record<string, { readonly id: number }>> = { alice: { id: 1 }, bob: { id: 2 } }
const byName = authenticate({
  challenge: 'Name',
  caller: (request) => callers[request.header('authorization') ?? ''] ?? null,
})

const notes = defineResource('notes', {
  model: model<NoteRow>('notes'),
  id: id(),
  attributes: (a) => ({ text: a.string().required(), ownerId: a.integer() }),
  policy(p) {
    const own = p.signedIn(({ caller }) => p.eq('ownerId', (caller as { id: number }).id))
    return { viewAny: true, view: true, create: own }
  },
  defaults: ({ caller }) => ({ ownerId: (caller as { id: number }).id }),
})

const open = () =>
  client(
    createServer({
      resources: [notes],
      data: storedData({ notes: [] }),
      middleware: [byName],
      extensions: [atomic()],
    }),
  )

const as = (name: string) => ({ headers: { authorization: name } })

describe('defaults of a new row', () => {
  test('are the columns that the client does not send', async () => {
    const api = open()
    const { resource } = await api.post('/notes', { ...as('bob'), body: resourceBody('notes', { text: 'Hello' }) })
    expect(resource.attributes).toEqual({ text: 'Hello', ownerId: 2 })
  })

  test('yield to the values that the client sends, and rules check the result', async () => {
    const api = open()
    const sent = resourceBody('notes', { text: 'Hello', ownerId: 2 })
    expect((await api.post('/notes', { ...as('bob'), body: sent })).status).toBe(201)
    expect((await api.post('/notes', { ...as('alice'), body: sent })).status).toBe(403)
  })

  test('apply in a batch too', async () => {
    const api = open()
    const media = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
    const { document } = await api.post('/operations', {
      headers: { authorization: 'bob', accept: media, 'content-type': media },
      body: {
        'atomic:operations': ['a', 'b'].map((text) => ({ op: 'add', data: { type: 'notes', attributes: { text } } })),
      },
    })
    const results = (document as unknown as { 'atomic:results': { data: { attributes: object } }[] })['atomic:results']
    expect(results.map(({ data }) => data.attributes)).toEqual([
      { text: 'a', ownerId: 2 },
      { text: 'b', ownerId: 2 },
    ])
  })

  test('that are not an object make the request fail', async () => {
    const faulty = defineResource('notes', {
      model: model<NoteRow>('notes'),
      id: id(),
      attributes: (a) => ({ text: a.string() }),
      defaults: (() => null) as unknown as () => Partial<NoteRow>,
    })
    const api = client(createServer({ resources: [faulty], data: storedData({ notes: [] }), logger: null }))
    expect((await api.post('/notes', { body: resourceBody('notes', { text: 'x' }) })).status).toBe(500)
  })
})
