import type { AttributeKit } from 'ashlar'
import { createServer, defineResource, enumeration, id, model, rule } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

type Row = Record<'id' | 'a', never>

type Declare = (a: AttributeKit<Row>) => unknown

type Purpose = '' | 'Create' | 'Update'

/** Returns the component of the attributes of a type with one attribute `a`. */
function componentOf(declare: Declare, purpose: Purpose): Readonly<Record<string, unknown>> {
  const things = defineResource('things', {
    model: model<Row>('things'),
    id: id(),
    attributes: (a) => ({ a: declare(a) }) as never,
  })
  const { components } = createServer({ resources: [things], data: memoryData() }).openapi()
  return components['schemas']?.[`Things${purpose}Attributes`] as Readonly<Record<string, unknown>>
}

function schemaOf(declare: Declare, purpose: Purpose = ''): unknown {
  return (componentOf(declare, purpose)['properties'] as Readonly<Record<string, unknown>>)['a']
}

const readAndWritten: readonly (readonly [name: string, declare: Declare, schema: object])[] = [
  ['string', (a) => a.string(), { type: 'string' }],
  ['email', (a) => a.email(), { type: 'string', format: 'email' }],
  ['url', (a) => a.url(), { type: 'string', format: 'uri' }],
  ['uuid', (a) => a.uuid(), { type: 'string', format: 'uuid' }],
  ['integer', (a) => a.integer(), { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }],
  ['decimal', (a) => a.decimal(), { type: 'number' }],
  ['boolean', (a) => a.boolean(), { type: 'boolean' }],
  ['dateTime', (a) => a.dateTime(), { type: 'string', format: 'date-time' }],
  ['date', (a) => a.date(), { type: 'string', format: 'date' }],
  [
    'time',
    (a) => a.time(),
    {
      type: 'string',
      pattern: '^(\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?$',
      description: 'Written HH:mm:ss.',
      'x-format': 'HH:mm:ss',
    },
  ],
  [
    'dateTime with its own format',
    (a) => a.dateTime().format('DD.MM.YYYY'),
    {
      type: 'string',
      pattern: '^(?:\\d{2})\\.(?:\\d{2})\\.(?:\\d{4})$',
      description: 'Written DD.MM.YYYY.',
      'x-format': 'DD.MM.YYYY',
    },
  ],
  ['arrayHash', (a) => a.arrayHash(), { type: 'object' }],
  ['arrayList', (a) => a.arrayList(), { type: 'array', items: { type: 'string' } }],
  ['arrayList of booleans', (a) => a.arrayList().of('boolean'), { type: 'array', items: { type: 'boolean' } }],
  ['a nullable attribute', (a) => a.string().nullable(), { type: ['string', 'null'] }],
  ['a list of values', (a) => a.string().enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
  [
    'a nullable list of values',
    (a) => a.string().enum(['a', 'b']).nullable(),
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  [
    'a description and an example',
    (a) => a.string().describedAs('The title.').example('Kid A'),
    { type: 'string', description: 'The title.', examples: ['Kid A'] },
  ],
  [
    'bigint',
    (a) => a.bigint(),
    {
      type: 'string',
      pattern: '^(?:0|-?[1-9][0-9]{0,18})$',
      description: 'A whole number of eight bytes, as a string of digits.',
    },
  ],
]

test.each(readAndWritten)('%s has the same schema read and written', (_name, declare, schema) => {
  expect(schemaOf(declare)).toEqual(schema)
  expect(schemaOf(declare, 'Create')).toEqual(schema)
  expect(schemaOf(declare, 'Update')).toEqual(schema)
})

const written: readonly (readonly [name: string, declare: Declare, schema: object])[] = [
  ['lengths', (a) => a.string().minLength(2).maxLength(9), { type: 'string', minLength: 2, maxLength: 9 }],
  ['two bounds of one kind', (a) => a.string().maxLength(9).maxLength(5), { type: 'string', maxLength: 5 }],
  ['a bound within that of the kind', (a) => a.integer().min(1).max(5), { type: 'integer', minimum: 1, maximum: 5 }],
  [
    'two patterns',
    (a) => a.string().pattern(/^a/).pattern(/b$/),
    { type: 'string', pattern: '^a', allOf: [{ pattern: 'b$' }] },
  ],
  ['slug', (a) => a.slug(), { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }],
  ['ip', (a) => a.ip(), { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }],
  [
    'sizes of lists',
    (a) => a.arrayList().minItems(1).uniqueItems(),
    { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
  ],
  [
    'rules of items',
    (a) => a.arrayList().each(rule.maxLength(3)),
    { type: 'array', items: { type: 'string' }, allOf: [{ items: { maxLength: 3 } }] },
  ],
  ['values that are not allowed', (a) => a.string().notIn(['x']), { type: 'string', not: { enum: ['x'] } }],
  ['a required text', (a) => a.string().required(), { type: 'string', minLength: 1 }],
  ['a required list', (a) => a.arrayList().required(), { type: 'array', items: { type: 'string' }, minItems: 1 }],
  [
    'alternatives',
    (a) => a.string().constrain(rule.atLeastOneOf(rule.pattern(/^a/), rule.maxLength(2))),
    { type: 'string', anyOf: [{ pattern: '^a' }, { maxLength: 2 }] },
  ],
  ['a condition', (a) => a.string().constrain(rule.when(() => true, rule.maxLength(2))), { type: 'string' }],
  [
    'a moment',
    (a) => a.date().after('2026-01-01'),
    { type: 'string', format: 'date', description: 'After 2026-01-01.', 'x-rules': ['After 2026-01-01.'] },
  ],
  [
    'moments of a list, which have several forms',
    (a) => a.dateTime().in(['2026-01-01T00:00:00Z']),
    {
      type: 'string',
      format: 'date-time',
      description: 'One of 2026-01-01T00:00:00Z.',
      'x-rules': ['One of 2026-01-01T00:00:00Z.'],
    },
  ],
  ['a schema', (a) => a.arrayHash().shape({ required: ['x'] }), { type: 'object', required: ['x'] }],
  ['a validator that describes itself', (a) => a.string().check(z.string().max(4)), { type: 'string', maxLength: 4 }],
  [
    'a user-defined rule with a schema',
    (a) => a.string().constrain(rule.custom('short', () => null, { schema: { maxLength: 7 } })),
    { type: 'string', maxLength: 7 },
  ],
  [
    'uniqueness',
    (a) => a.string().unique(),
    {
      type: 'string',
      description: 'No two resources have the same value.',
      'x-rules': ['No two resources have the same value.'],
    },
  ],
]

test.each(written)('%s is described for writes', (_name, declare, schema) => {
  expect(schemaOf(declare, 'Create')).toEqual(schema)
})

const shortOnUpdate: Declare = (a) => a.string().constrain(rule.onUpdate(rule.maxLength(3)))

test('rules for one kind of write are described for that write', () => {
  expect(schemaOf(shortOnUpdate, 'Create')).toEqual({ type: 'string' })
  expect(schemaOf(shortOnUpdate, 'Update')).toEqual({ type: 'string', maxLength: 3 })
})

test('stored values may be older than the rules, so schemas of responses have none of them', () => {
  expect(schemaOf((a) => a.string().maxLength(5))).toEqual({ type: 'string' })
})

const composite: Declare = (a) =>
  a.object().fields({ b: a.string().required(), c: a.integer().nullable(), d: a.string().writeOnly() } as never)
const choice: Declare = (a) => a.oneOf().variant('disc', { sides: a.integer().required() } as never)

describe('composite values', () => {
  test('have their members', () => {
    expect(schemaOf(composite)).toMatchObject({
      type: 'object',
      properties: { b: { type: 'string' } },
      required: ['b', 'c'],
    })
    expect(schemaOf(composite, 'Create')).toMatchObject({
      properties: { b: { type: 'string', minLength: 1 }, d: { type: 'string' } },
      required: ['b'],
    })
    expect(schemaOf(composite, 'Update')).not.toHaveProperty('required')
  })

  test('have variants', () => {
    expect(schemaOf(choice, 'Create')).toMatchObject({
      oneOf: [{ properties: { type: { const: 'disc' }, sides: { type: 'integer' } }, required: ['type', 'sides'] }],
    })
  })
})

test('a named enumeration is a component with descriptions', () => {
  const Status = enumeration('album-status', { upcoming: 'Not out yet.', released: 'Out.' })
  const things = defineResource('things', {
    model: model<{ id: number; a: string }>('things'),
    id: id(),
    attributes: (a) => ({ a: a.string().enum(Status) }),
  })
  const { components } = createServer({ resources: [things], data: memoryData() }).openapi()
  expect(components['schemas']?.['ThingsAttributes']).toMatchObject({
    properties: { a: { $ref: '#/components/schemas/AlbumStatus' } },
  })
  expect(components['schemas']?.['AlbumStatus']).toEqual({
    type: 'string',
    enum: ['upcoming', 'released'],
    description: '- `upcoming`: Not out yet.\n- `released`: Out.',
    'x-enum-varnames': ['Upcoming', 'Released'],
    'x-enum-descriptions': ['Not out yet.', 'Out.'],
  })
})

function shown(declare: Declare): unknown {
  return componentOf(declare, '')['x-always-shown']
}

function required(declare: Declare, purpose: Purpose = ''): unknown {
  return componentOf(declare, purpose)['required']
}

describe('the attributes that a schema has', () => {
  test('attributes that are always shown are listed, and not required: a fieldset may leave them out', () => {
    expect(shown((a) => a.string())).toEqual(['a'])
    expect(shown((a) => a.string().sparseByDefault())).toBeUndefined()
    expect(shown((a) => a.string().hidden(() => true))).toBeUndefined()
    expect(required((a) => a.string())).toBeUndefined()
  })

  test('a create requires the attributes that the declaration requires, and an update none', () => {
    expect(required((a) => a.string().required(), 'Create')).toEqual(['a'])
    expect(required((a) => a.string().requiredOnCreate(), 'Create')).toEqual(['a'])
    expect(required((a) => a.string().required(), 'Update')).toBeUndefined()
  })

  test('attributes that cannot be written or read are left out', () => {
    expect(schemaOf((a) => a.string().readOnly(), 'Create')).toBeUndefined()
    expect(schemaOf((a) => a.string().readOnlyOnUpdate(), 'Update')).toBeUndefined()
    expect(schemaOf((a) => a.string().readOnlyOnUpdate(), 'Create')).toEqual({ type: 'string' })
    expect(schemaOf((a) => a.string().writeOnly())).toBeUndefined()
    expect(schemaOf((a) => a.string().hidden())).toBeUndefined()
  })
})
