import * as fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { client } from '../support/client.js'
import { runs } from '../support/runs.js'
import { hostileServer, leak } from './hostile-server.js'
import { anyText } from '../support/any-text.js'

const dangerous = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  '',
  'links',
  'a/b~c',
]
const key = fc.oneof(fc.constantFrom(...dangerous), anyText())

/** JSON values with awkward names, awkward texts and awkward numbers. */
const { json } = fc.letrec<{ readonly json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, -0, 1e300, 5e-324, Number.MAX_SAFE_INTEGER, -1.5),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    anyText(),
    fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(key, tie('json'), { maxKeys: 4, noNullPrototype: false }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 3 }).map(withOwnMembers),
  ),
}))

/** An own member `__proto__`, as `JSON.parse` makes it. */
function withOwnMembers(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries)
}

/** Half of a surrogate pair and U+0000 are in no text that every store can save. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).flat().every(isStorable)
}

describe('accepted values are read back unchanged', () => {
  test('texts, numbers, lists and open objects', async () => {
    const api = client(hostileServer())
    const attributes = fc.record(
      {
        text: fc.oneof(anyText(), fc.constantFrom('\ud800', '\udc00x', '\u2028', '</script>')),
        // Not all drivers of SQLite can be given numbers that are nearer to zero.
        amount: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((amount) => amount <= 0 || amount > 1e-15),
        tags: fc.array(anyText()),
        extra: fc.dictionary(key, json),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    await fc.assert(
      fc.asyncProperty(attributes, async (sent) => {
        const created = await api.post('/notes', { body: { data: { type: 'notes', attributes: sent } } })
        expect(created.status).toBe(isStorable(sent) ? 201 : 422)
        if (!isStorable(sent)) return
        const read = await api.get(String(created.resource.links?.['self']).slice('http://localhost'.length))
        expect(read.resource).toEqual(created.resource)
        for (const [name, value] of Object.entries(sent)) {
          // As text: matchers do not distinguish an own member `__proto__` from the prototype.
          expect(JSON.stringify(read.resource.attributes?.[name])).toBe(JSON.stringify(value))
        }
        await api.delete(`/notes/${created.resource.id}`)
      }),
      { numRuns: runs(200) },
    )
  })

  test('client ids, every id that is a string', async () => {
    const api = client(hostileServer())
    const ids = fc.oneof(anyText({ minLength: 1 }), fc.constantFrom(...dangerous, '.', '..', '%2F', '0'))
    await fc.assert(
      fc.asyncProperty(ids, async (sent) => {
        const created = await api.post('/notes', { body: { data: { type: 'notes', id: sent } } })
        // Addresses resolve segments of dots.
        if (['', 'first', '.', '..'].includes(sent) || !isStorable(sent)) {
          expect([409, 422]).toContain(created.status)
          return
        }
        expect(created.resource.id).toBe(sent)
        const path = `/notes/${encodeURIComponent(sent)}`
        expect((await api.get(path)).resource.id).toBe(sent)
        expect((await api.delete(path)).status).toBe(204)
      }),
      { numRuns: runs(200) },
    )
  })
})

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('for any document', () => {
  const document = fc.oneof(
    json,
    fc.record({ data: json }),
    fc.record({ data: fc.record({ type: fc.constant('notes'), id: fc.oneof(json, fc.constant('first')), attributes: json, relationships: json, lid: json }, { requiredKeys: ['type'] }) }),
    fc.record({ data: fc.record({ type: fc.constant('notes'), attributes: fc.record({ text: json, amount: json, tags: json, extra: json, shape: json }, { requiredKeys: [] }) }) }),
  ) // biome-ignore format: one line a shape

  test('it is accepted or refused with an error document, and a refused one writes nothing', async () => {
    const api = client(hostileServer())
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('POST', 'PATCH'), document, async (method, body) => {
        const before = (await api.get('/notes')).text
        const path = method === 'POST' ? '/notes' : '/notes/first'
        const response = await api.request(method, path, { raw: JSON.stringify(body) })
        expect([200, 201, 400, 403, 409, 422]).toContain(response.status)
        expect(response.text).not.toMatch(leak)
        if (response.status >= 400) expect((await api.get('/notes')).text).toBe(before)
      }),
      { numRuns: runs(500) },
    )
  })

  test('no member of a body or a query reaches a prototype', async () => {
    const api = client(hostileServer())
    const members = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}'
    await api.post('/notes', {
      raw: `{${members},"data":{${members},"type":"notes","attributes":{${members},"extra":{${members}}}}}`,
    })
    await api.get('/notes?filter[__proto__][polluted]=1&page[__proto__]=1&fields[__proto__]=polluted')
    await api.get('/notes?__proto__[polluted]=1')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('inherited names are no members', async () => {
    const api = client(hostileServer())
    for (const data of [{ type: 'toString' }, { type: 'notes', attributes: { toString: 'x', constructor: 'y' } }]) {
      const { status } = await api.post('/notes', { body: { data } })
      expect([201, 409]).toContain(status)
    }
    expect((await api.get('/notes?fields[notes]=constructor')).status).toBe(400)
    expect((await api.get('/notes?fields[constructor]=x')).status).toBe(400)
  })

  test('the last of a repeated member counts, everywhere alike', async () => {
    const api = client(hostileServer())
    const raw = '{"data":{"type":"albums","type":"notes","attributes":{"text":"a","text":"b"}}}'
    const created = await api.post('/notes', { raw })
    expect(created.resource.attributes?.['text']).toBe('b')
  })

  test('numbers keep their value as far as doubles go', async () => {
    const api = client(hostileServer())
    for (const [number, shown] of [
      ['1E2', 100],
      ['9007199254740993', 9007199254740992],
      ['0.1', 0.1],
      ['1e308', 1e308],
      ['1e-400', 0],
      [`0.${'3'.repeat(400)}`, 1 / 3],
    ] as const) {
      const { resource } = await api.post('/notes', {
        raw: `{"data":{"type":"notes","attributes":{"amount":${number}}}}`,
      })
      expect(resource.attributes?.['amount']).toBe(shown)
    }
    for (const number of ['1e309', '-1e999', '9'.repeat(500), 'NaN', 'Infinity', '0x10', '01', '.5']) {
      const response = await api.post('/notes', { raw: `{"data":{"type":"notes","attributes":{"amount":${number}}}}` })
      expect(response.status).toBe(400)
    }
  })

  test('depth is bounded at each position', async () => {
    // A column for JSON of MariaDB has at most 32 levels.
    const holdsDepth = inject('store') !== 'mariadb'
    const api = client(hostileServer())
    for (const [raw, status] of [
      [`{"data":{"type":"notes","attributes":{"extra":${deep(61)}}}}`, holdsDepth ? 201 : 422],
      [`{"data":{"type":"notes","attributes":{"extra":${deep(62)}}}}`, 400],
      [`{"data":${deep(100_000)}}`, 400],
      ['['.repeat(500_000), 400],
    ] as const) {
      expect((await api.post('/notes', { raw })).status).toBe(status)
    }
  })
})
