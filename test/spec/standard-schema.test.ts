import type { StandardSchemaV1 } from '@standard-schema/spec'
import { createServer, defineResource, id, model, rule } from 'ashlar'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'
import { type ThingRow, thingsWith, violationsOf } from '../support/validated-things.js'

/** A validator made by hand. */
function validator(validate: StandardSchemaV1['~standard']['validate']): StandardSchemaV1 {
  return { '~standard': { version: 1, vendor: 'test', validate } }
}

const track = z.object({ title: z.string().min(2, 'Too short.'), length: z.number('No number.').optional() })

describe('check() with a validator of another library', () => {
  test('Zod: issues of texts, objects and lists, each at its pointer', async () => {
    const api = thingsWith((a) => ({
      title: a.string().check(z.string().startsWith('a', 'Begin with an a.')),
      track: a.arrayHash().check(track),
      tracks: a.arrayList().check(z.array(track)),
      each: a.arrayList().each(rule.standard(track)),
      'odd-names': a.arrayHash().check(z.record(z.string(), z.object({ 'a/b~c': z.string('No text.') }))),
    }))
    expect(
      await violationsOf(api, {
        title: 'b',
        track: { title: 'a', length: '1' },
        tracks: [{ title: 'ab' }, { title: 'a' }],
        each: [{ title: 'a' }],
        'odd-names': { 'x/y': { 'a/b~c': 5 } },
      }),
    ).toEqual([
      'title: Begin with an a.',
      'track/title: Too short.',
      'track/length: No number.',
      'tracks/1/title: Too short.',
      'each/0/title: Too short.',
      'odd-names/x~1y/a~1b~0c: No text.',
    ])
    expect(await violationsOf(api, { title: 'ab', tracks: [{ title: 'ab', length: 1 }] })).toEqual([])
  })

  test('Valibot: its paths are objects with keys', async () => {
    const medium = v.object({ sides: v.array(v.object({ rpm: v.pipe(v.number(), v.minValue(33, 'Turn faster.')) })) })
    const api = thingsWith((a) => ({ medium: a.arrayHash().check(medium) }))
    expect(await violationsOf(api, { medium: { sides: [{ rpm: 45 }, { rpm: 16 }] } })).toEqual([
      'medium/sides/1/rpm: Turn faster.',
    ])
  })

  test('paths may contain numbers, symbols and objects; no path means the value itself', async () => {
    const issues = [
      { message: 'One.', path: ['a', 0, Symbol.for('b'), { key: 'c/d' }, { key: 1 }] },
      { message: 'Two.', path: [] },
      { message: 'Three.' },
    ]
    const api = thingsWith((a) => ({ hash: a.arrayHash().check(validator(() => ({ issues }))) }))
    expect(await violationsOf(api, { hash: {} })).toEqual([
      'hash/a/0/Symbol(b)/c~1d/1: One.',
      'hash: Two.',
      'hash: Three.',
    ])
  })

  test('it may be asynchronous', async () => {
    const isKnown = z.string().refine(async (value) => value === 'known', 'Unknown.')
    const known = v.pipeAsync(
      v.string(),
      v.checkAsync(async (value) => value === 'known', 'Not known.'),
    )
    const api = thingsWith((a) => ({ one: a.string().check(isKnown), two: a.string().check(known) }))
    expect(await violationsOf(api, { one: 'x', two: 'x' })).toEqual(['one: Unknown.', 'two: Not known.'])
    expect(await violationsOf(api, { one: 'known', two: 'known' })).toEqual([])
  })

  test('a failure without an issue is still a failure', async () => {
    const api = thingsWith((a) => ({ title: a.string().check(validator(() => ({ issues: [] }))) }))
    expect(await violationsOf(api, { title: 'x' })).toEqual(['title: This is not valid.'])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('one that %s is an error of the server, and nothing is written', async (_how, validate) => {
    const things = defineResource('things', {
      model: model<ThingRow>('things'),
      id: id(),
      attributes: (a) => ({ title: a.string().check(validator(validate)) }),
    })
    const data = storedData({ things: [{ id: 1, title: 'x' }] })
    const api = client(createServer({ resources: [things], data }))
    expect((await api.post('/things', { body: resourceBody('things', { title: 'y' }) })).status).toBe(500)
    expect((await api.patch('/things/1', { body: resourceBody('things', { title: 'y' }, '1') })).status).toBe(500)
    expect((await api.get('/things')).resources).toMatchObject([{ id: '1', attributes: { title: 'x' } }])
  })

  test('it only validates: the sent value is stored, not its output', async () => {
    const api = thingsWith((a) => ({
      title: a.string().check(z.string().trim().toUpperCase()),
      track: a.arrayHash().check(z.object({ title: z.string().default('Untitled') })),
      count: a.integer().check(z.number().transform(String)),
    }))
    const sent = { title: ' Kid A ', track: { strange: 1 }, count: 5 }
    const created = await api.post('/things', { body: resourceBody('things', sent) })
    expect(created.resource.attributes).toEqual(sent)
    const back = await api.patch('/things/2', { body: { data: created.resource } })
    expect(back.resource).toEqual(created.resource)
  })

  test('it is called only for values that are present, not null, and of the right JSON type', async () => {
    const seen: unknown[] = []
    const watching = validator((value) => {
      seen.push(value)
      return { value }
    })
    const api = thingsWith((a) => ({ count: a.integer().nullable().check(watching) }))
    await violationsOf(api, {})
    await violationsOf(api, { count: null })
    expect(await violationsOf(api, { count: 'x' })).toEqual(['count: This must be a whole number.'])
    await violationsOf(api, { count: 5 })
    expect(seen).toEqual([5])
  })

  test('it applies only on create or on update if declared so, and only while a condition is true', async () => {
    const api = thingsWith((a) => ({
      title: a.string().onUpdate((field) => field.check(z.string().min(3, 'Too short.'))),
      note: a.string().when(
        (value) => String(value).startsWith('x'),
        (field) => field.check(z.string().max(2, 'Too long.')),
      ),
    }))
    expect(await violationsOf(api, { title: 'ab', note: 'abc' })).toEqual([])
    expect(await violationsOf(api, { title: 'ab', note: 'xyz' }, { method: 'PATCH' })).toEqual([
      'title: Too short.',
      'note: Too long.',
    ])
  })
})
