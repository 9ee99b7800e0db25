import { createServer, defineType, id } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'

interface Country {
  readonly code: string
  readonly name: string
  readonly goneAt: Date | null
}

/** Countries from a custom provider and persister, which do not know soft deletes. */
function countries() {
  const rows = new Map<string, Country>([
    ['is', { code: 'is', name: 'Iceland', goneAt: null }],
    ['dd', { code: 'dd', name: 'East Germany', goneAt: new Date('1990-10-03T00:00:00Z') }],
  ])
  const type = defineType('countries', {
    fields: (a) => ({
      code: id().encodeUsing<string>({ encode: (key) => `c-${key}`, decode: (wire) => wire.slice(2) }),
      name: a.string(),
    }),
    serializer: {
      members: ['name'],
      serialize: ({ code, name }) => ({ id: `c-${String(code)}`, attributes: { name } }),
    },
    provider: {
      fetchOne: (_type, wireId) => rows.get(wireId.slice(2)) ?? null,
      fetchCollection: () => [...rows.values()],
    },
    persister: {
      create: () => ({}),
      update(_type, key, values) {
        const row = rows.get(String(key))
        if (row === undefined) return null
        rows.set(row.code, { ...row, ...values })
        return rows.get(row.code) ?? null
      },
      delete: (_type, key) => rows.delete(String(key)),
    },
    operations: ['FetchCollection', 'FetchOne', 'Delete'],
    filters: (f) => ({ gone: f.onlyTrashed() }),
    softDeletes: { column: 'goneAt' },
  })
  return { api: client(createServer({ resources: [type] })), rows }
}

test('stores without support for soft deletes hide, mark, restore and delete rows all the same', async () => {
  const { api, rows } = countries()
  expect((await api.get('/countries')).resources.map((country) => country.id)).toEqual(['c-is'])
  expectErrors(await api.get('/countries/c-dd'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])

  expect((await api.delete('/countries/c-is')).status).toBe(204)
  expect(rows.get('is')?.goneAt).toBeInstanceOf(Date)
  const gone = (await api.get('/countries?filter[gone]=true')).resources
  expect(gone.map(({ links }) => links?.['restore'])).toEqual([
    { href: 'http://localhost/countries/c-dd/-actions/restore', meta: { method: 'POST' } },
    { href: 'http://localhost/countries/c-is/-actions/restore', meta: { method: 'POST' } },
  ])

  const restored = await api.post('/countries/c-dd/-actions/restore')
  expect(restored.resource).toMatchObject({ id: 'c-dd', attributes: { name: 'East Germany' } })
  expect(rows.get('dd')?.goneAt).toBe(null)

  expect((await api.post('/countries/c-is/-actions/force-delete')).status).toBe(204)
  expect([...rows.keys()]).toEqual(['dd'])
})
