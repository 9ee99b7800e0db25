import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, inject, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface LabelRow {
  id: string
  parentId: string | null
}

const labels = defineResource('labels', {
  model: model<LabelRow>('labels'),
  id: id().allowClientId(),
  relations: { parent: belongsTo('labels'), children: hasMany('labels').via('parentId') },
  filters: (f) => ({ id: f.idIn(), parent: f.through('parent.id') }),
})

function labelsApi(): TestClient {
  return client(createServer({ resources: [labels], data: storedData() }))
}

/** As clients follow a link: through a parser of addresses, which tidies them. */
function followed(link: unknown): string {
  const { pathname, search } = new URL(String(link))
  return pathname + search
}

const odd = [
  'a/b',
  '/',
  '../..',
  'a b',
  ' ',
  '100%',
  '%2F',
  '%',
  'Jóga',
  'Jo\u0301ga',
  '音楽',
  '🎵',
  '"so"',
  "it's",
  '`',
  '\\',
  '...',
  '.hidden',
  'a.b',
  '#1',
  '?',
  '&=',
  '+',
  ';',
  '@',
  ':',
  '[1]',
  '{}',
  '<b>',
  ',',
  'a,b',
  '\n',
  '\t',
  '\u007f',
  '0',
  '-1',
  'relationships',
  'labels',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '-actions ',
]

describe.each(odd.map((each) => [JSON.stringify(each), each]))('the id %s', (_shown, sent) => {
  test('has a URL that refers to it: Location and self', async () => {
    const api = labelsApi()
    const created = await api.post('/labels', { body: resourceBody('labels', {}, sent) })
    expect(created.resource.id).toBe(sent)
    const location = created.headers.get('Location')
    expect(location).toBe(`http://localhost/labels/${encodeURIComponent(sent)}`)
    expect(created.resource.links?.['self']).toBe(location)
    const read = await api.get(followed(location))
    expect(read.resource).toEqual(created.resource)
    expect(read.document?.links?.['self']).toBe(location)
    expect((await api.patch(followed(location), { body: { data: read.resource } })).resource).toEqual(read.resource)
    expect((await api.delete(followed(location))).status).toBe(204)
  })

  test('can be linked, found by filters, and used in relationship links', async () => {
    const api = labelsApi()
    const parent = { type: 'labels', id: sent }
    await api.post('/labels', { body: { data: parent } })
    const data = { type: 'labels', id: 'child', relationships: { parent: { data: parent } } }
    const { resource } = await api.post('/labels', { body: { data } })
    expect(resource.relationships?.['parent']?.data).toEqual(parent)
    const encoded = encodeURIComponent(sent)
    expect((await api.get(`/labels?filter[id][]=${encoded}`)).resources).toMatchObject([parent])
    expect((await api.get(`/labels?filter[parent]=${encoded}`)).resources).toMatchObject([{ id: 'child' }])
    const [found] = (await api.get(`/labels?filter[id][]=${encoded}`)).resources
    const { links = {} } = found?.relationships?.['children'] ?? {}
    expect((await api.get(followed(links['related']))).resources).toMatchObject([{ id: 'child' }])
    expect((await api.get(followed(links['self']))).document?.data).toEqual([{ type: 'labels', id: 'child' }])
    const removed = await api.delete(followed(links['self']), { body: { data: [{ type: 'labels', id: 'child' }] } })
    expect(removed.status).toBe(204)
    expect((await api.get(followed(links['self']))).document?.data).toEqual([])
  })
})

test('ids that differ in case, in blanks or in composed letters are different ids', async () => {
  const api = labelsApi()
  const ids = ['a', 'A', ' a', 'a ', '\u00e9', 'e\u0301', '1', '01', '1.0', '+1']
  for (const sent of ids)
    expect((await api.post('/labels', { body: resourceBody('labels', {}, sent) })).status).toBe(201)
  for (const sent of ids) expect((await api.get(`/labels/${encodeURIComponent(sent)}`)).resource.id).toBe(sent)
})

describe('an id that no URL can contain is invalid', () => {
  const unreachable = [
    ['nothing', ''],
    ['the segment of actions', '-actions'],
    ['one dot, which address parsers drop', '.'],
    ['two dots, which they climb up by', '..'],
    ['half a surrogate pair, which has no encoding', 'a\ud800'],
    ['a text with U+0000, which databases do not keep', 'a\u0000'],
    ['a text longer than addresses may be', 'x'.repeat(20_000)],
    ['a text that is longer than that once it is encoded', '音'.repeat(3000)],
  ] as const

  test.each(unreachable)('%s: 422 for a client that sends it', async (_what, sent) => {
    const api = labelsApi()
    expectErrors(await api.post('/labels', { body: resourceBody('labels', {}, sent) }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
    ])
    expect((await api.get('/labels')).resources).toEqual([])
  })

  test.each(unreachable)('%s: 422 in linkage', async (_what, sent) => {
    const api = labelsApi()
    const parent = { data: { type: 'labels', id: sent } }
    const data = { type: 'labels', id: 'child', relationships: { parent } }
    expectErrors(await api.post('/labels', { body: { data } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/parent/data/id' },
    ])
  })

  test.each(unreachable)('%s: 500 for a function that generates it, and nothing is written', async (_what, made) => {
    const minting = defineResource('labels', { model: model<LabelRow>('labels'), id: id().generateUsing(() => made) })
    const logged: unknown[] = []
    const logger = { error: (_members: object, message: string) => logged.push(message) }
    const api = client(createServer({ resources: [minting], data: storedData(), logger }))
    expect((await api.post('/labels', { body: resourceBody('labels') })).status).toBe(500)
    expect((await api.get('/labels')).resources).toEqual([])
    expect(logged).toHaveLength(1)
  })

  // Not on MariaDB, whose keys have at most 768 characters.
  test.skipIf(inject('store') === 'mariadb')(
    'an id may be as long as a path of half the limit, if the key can be',
    async () => {
      const api = labelsApi()
      for (const sent of ['x'.repeat(8192), '音'.repeat(910)]) {
        const { resource } = await api.post('/labels', { body: resourceBody('labels', {}, sent) })
        const { links = {} } = resource.relationships?.['children'] ?? {}
        expect((await api.get(followed(resource.links?.['self']))).resource.id).toBe(sent)
        expect((await api.get(followed(links['self']))).status).toBe(200)
      }
    },
  )
})

test('a key that is a moment has one text form, by which it is found', async () => {
  const plays = defineResource('plays', { model: model<{ id: Date }>('plays'), id: id() })
  const rows = [{ id: new Date('2024-02-29T12:00:00Z') }]
  const api = client(createServer({ resources: [plays], data: storedData({ plays: rows }) }))
  const [play] = (await api.get('/plays')).resources
  expect(play?.id).toBe('2024-02-29T12:00:00.000Z')
  expect((await api.get(followed(play?.links?.['self']))).resource).toEqual(play)
})
