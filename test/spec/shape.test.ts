import type { JsonSchema } from '../../src/declare/resource/parts/json-schema.js'
import { describe, expect, test } from 'vitest'
import { thingsWith, violationsOf } from '../support/validated-things.js'

const vinyl = {
  type: 'object',
  properties: { kind: { const: 'vinyl' }, rpm: { enum: [33, 45] } },
  required: ['kind', 'rpm'],
}
const file = {
  type: 'object',
  properties: { kind: { const: 'file' }, format: { type: 'string', minLength: 2 } },
  required: ['kind'],
}
const mediumOf = (schema: JsonSchema) => thingsWith((a) => ({ medium: a.arrayHash().shape(schema) }))

describe('shape()', () => {
  test('reports every leaf of allOf, and several violations of one value', async () => {
    const api = mediumOf({
      allOf: [{ required: ['a', 'b'] }, { properties: { c: { type: 'string', minLength: 3, pattern: '^x' } } }],
      additionalProperties: { type: 'string' },
    })
    expect(await violationsOf(api, { medium: { c: 'y', 'd/e': 5 } })).toEqual([
      "medium: This must have the member 'a'.",
      "medium: This must have the member 'b'.",
      'medium/c: This must have at least 3 characters.',
      'medium/c: This does not have the required form.',
      'medium/d~1e: This must be a string.',
    ])
  })

  test.each(['oneOf', 'anyOf'])('reports for %s the leaves of the matching branch', async (choice) => {
    const api = mediumOf({ [choice]: [vinyl, file] })
    expect(await violationsOf(api, { medium: { kind: 'vinyl', rpm: 33 } })).toEqual([])
    expect(await violationsOf(api, { medium: { kind: 'vinyl', rpm: 78 } })).toEqual([
      'medium/rpm: This must be one of 33, 45.',
    ])
    expect(await violationsOf(api, { medium: { kind: 'vinyl' } })).toEqual(["medium: This must have the member 'rpm'."])
    expect(await violationsOf(api, { medium: { kind: 'file', format: 'x' } })).toEqual([
      'medium/format: This must have at least 2 characters.',
    ])
  })

  test.each(['oneOf', 'anyOf'])('reports %s itself if no branch can be identified', async (choice) => {
    const api = mediumOf({ [choice]: [vinyl, file] })
    expect(await violationsOf(api, { medium: { kind: 'wax' } })).toEqual([
      'medium: This has none of the allowed forms.',
    ])
  })

  test('reports nested choices at their own pointers, together with other violations', async () => {
    const api = mediumOf({
      required: ['owner'],
      properties: { media: { items: { anyOf: [vinyl, { type: 'string', minLength: 3 }] } } },
    })
    expect(await violationsOf(api, { medium: { media: [{ kind: 'vinyl', rpm: 1 }, 'cd', 5] } })).toEqual([
      "medium: This must have the member 'owner'.",
      'medium/media/0/rpm: This must be one of 33, 45.',
      'medium/media/1: This must have at least 3 characters.',
      'medium/media/2: This has none of the allowed forms.',
    ])
  })

  test('refuses a value that matches two branches of oneOf', async () => {
    const api = mediumOf({ oneOf: [{ required: ['a'] }, { required: ['b'] }] })
    expect(await violationsOf(api, { medium: { a: 1, b: 2 } })).toEqual([
      'medium: This has more than one of the allowed forms.',
    ])
  })

  test('reports a choice itself if its branches are definitions', async () => {
    const api = mediumOf({
      $defs: { vinyl, file },
      properties: { media: { oneOf: [{ $ref: '#/$defs/vinyl' }, { $ref: '#/$defs/file' }] } },
    })
    expect(await violationsOf(api, { medium: { media: { kind: 'vinyl', rpm: 33 } } })).toEqual([])
    expect(await violationsOf(api, { medium: { media: { kind: 'vinyl', rpm: 78 } } })).toEqual([
      'medium/media: This has none of the allowed forms.',
    ])
  })

  test('reports forbidden members, and values that must be a constant', async () => {
    const api = mediumOf({ properties: { kind: { const: 'lp' } }, additionalProperties: false, minProperties: 1 })
    expect(await violationsOf(api, { medium: { kind: 'cd', a: 1, b: 2 } })).toEqual([
      "medium: This must not have the member 'a'.",
      "medium: This must not have the member 'b'.",
      'medium/kind: This must be "lp".',
    ])
    expect(await violationsOf(api, { medium: {} })).toEqual(['medium: This must have at least 1 member.'])
  })

  test('applies only on create or on update if declared so, and never to null', async () => {
    const api = thingsWith((a) => ({
      medium: a
        .arrayHash()
        .nullable()
        .onCreate((field) => field.shape({ required: ['a'] }))
        .onUpdate((field) => field.shape({ required: ['b'] })),
    }))
    expect(await violationsOf(api, { medium: { b: 1 } })).toEqual(["medium: This must have the member 'a'."])
    expect(await violationsOf(api, { medium: null })).toEqual([])
    expect(await violationsOf(api, { medium: { a: 1 } }, { method: 'PATCH' })).toEqual([
      "medium: This must have the member 'b'.",
    ])
    expect(await violationsOf(api, { medium: { b: 1 } }, { method: 'PATCH' })).toEqual([])
  })
})
