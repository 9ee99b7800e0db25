import {
  accepted,
  type AnyResource,
  created,
  cursorPage,
  defineResource,
  defineType,
  enumeration,
  fixedPage,
  id,
  metaResult,
  model,
  noContent,
  numberPage,
  offsetPage,
  ok,
  pageMenu,
  type Paginator,
  rule,
  seeOther,
} from 'ashlar'
import { describe, expect, it } from 'vitest'
import { attributeKit } from '../../src/declare/resource/fields/attribute-kit.js'
import { filterKit } from '../../src/declare/resource/filters/filter-kit.js'
import { relationKit } from '../../src/declare/resource/relations/relation-kit.js'
import { sortKit } from '../../src/declare/resource/sorts/sort-kit.js'

type Method = (...args: readonly unknown[]) => unknown

const a = attributeKit<Record<string, unknown>>()
const f = filterKit<string>()

/** The arguments of a modifier; `'title'` by default. A new modifier is called without being listed here. */
const callArguments: Readonly<Record<string, readonly unknown[]>> = {
  in: [['rock', 'pop']],
  notIn: [['rock', 'pop']],
  enum: [enumeration('Genre', ['rock', 'pop'])],
  constrain: [rule.minLength(1), rule.maxLength(9)],
  sequentially: [rule.minLength(1), rule.maxLength(9)],
  atLeastOneOf: [rule.minLength(1), rule.maxLength(9)],
  each: [rule.minLength(1)],
  when: [() => true, (field: { required(): unknown }) => field.required()],
  onCreate: [(field: { required(): unknown }) => field.required()],
  onUpdate: [(field: { required(): unknown }) => field.required()],
  hidden: [() => false],
  computed: [() => 'x'],
  unique: [{ with: ['title'] }],
  shape: [{ type: 'object', properties: { a: { enum: ['b'] } } }],
  check: [{ '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } }],
  minLength: [1],
  maxLength: [1],
  email: [{ strict: true }],
  url: [['https']],
  uuid: [4],
  version: [4],
  ip: [4],
  slug: [/a/],
  pattern: [/a/],
  matchAs: [/a/],
  min: [1],
  max: [1],
  exclusiveMin: [1],
  exclusiveMax: [1],
  multipleOf: [1],
  before: ['2020-01-01'],
  after: [new Date(0)],
  between: ['2020-01-01', () => new Date()],
  useTimezone: ['Europe/Paris'],
  of: ['integer'],
  minItems: [1],
  maxItems: [1],
  minProperties: [1],
  maxProperties: [1],
  // Attributes take children by name, relations a function of the kit: this is both.
  fields: [Object.assign(() => ({ position: a.integer().min(1) }), { label: a.string().in(['x']) })],
  variant: ['disc', { sides: a.integer() }],
  compareWith: ['title', '='],
  example: [{ nested: ['value'] }],
  default: [{ nested: ['value'] }],
  fixed: [['value']],
  operator: ['='],
  paginate: [numberPage()],
  withFilters: [() => ({ title: f.contains() })],
  withSorts: [() => ({ title: sortKit().field() })],
  defaultSort: ['title'],
  security: [{ read: 'staff' }],
  through: ['join', { owner: 'ownerId', member: 'memberId' }],
  via: ['id', 'type'],
  generateUsing: [() => 1],
  encodeUsing: [{ encode: String, decode: Number }],
}

/** The arguments of filters and rules that take something else than a name. */
const filterArguments: Readonly<Record<string, readonly unknown[]>> = {
  all: [{ title: f.contains() }],
  any: [{ title: f.contains() }],
  custom: [{}],
  hasMatching: ['tracks', {}],
}

const ruleArguments: Readonly<Record<string, readonly unknown[]>> = {
  when: [() => true, rule.minLength(1)],
  onCreate: [rule.minLength(1)],
  onUpdate: [rule.minLength(1)],
  custom: ['odd', () => null],
  standard: callArguments['check'] ?? [],
}

/** Parts of the modifiers, not modifiers. */
const internal: ReadonlySet<string> = new Set([
  'constructor',
  'next',
  'with',
  'fault',
  'added',
  'childFaults',
  'scoped',
  'replaceFormat',
  'versioned',
  'accepts',
  'faultUnlessBounded',
  'formatted',
  'misplaced',
])

/** Every modifier of a builder, up its prototype chain. */
function modifiersOf(builder: object): readonly string[] {
  const names = new Set<string>()
  let level = Object.getPrototypeOf(builder) as object
  while (level !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(level)) if (!internal.has(name)) names.add(name)
    level = Object.getPrototypeOf(level) as object
  }
  return [...names]
}

function modified(builder: object, name: string): unknown {
  const args = callArguments[name] ?? ['title']
  return (builder as Readonly<Record<string, Method>>)[name]?.(...args)
}

/** Values, schemas and codecs of the user, which are not frozen. */
const authored: ReadonlySet<string> = new Set(['examples', 'default', 'fixed', 'schema', 'codec', 'validator', 'tags'])

/** The paths of everything that could still be changed: plain objects and lists of the framework, at any depth. */
function changeable(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return []
  const members = Object.entries(value).filter(([name]) => !authored.has(name))
  return [
    ...(Object.isFrozen(value) ? [] : [path]),
    ...members.flatMap(([name, member]) => changeable(member, `${path}.${name}`)),
  ]
}

/** The current content of a value, to compare by identity. */
function held(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value]
  return [value, ...Object.values(value).flatMap(held)]
}

/** The errors of the modifiers of a builder; none are expected. */
function faultsOf(builder: object, modifiers: readonly string[]): readonly string[] {
  const before = held(builder)
  const faults = modifiers.flatMap((name) => {
    const result = modified(builder, name)
    if (result === builder) return [`${name}() returns the object that it was called on`]
    if (Object.getPrototypeOf(result) !== Object.getPrototypeOf(builder)) return [`${name}() returns something else`]
    return changeable(result, `${name}()`)
  })
  const after = held(builder)
  const same = after.length === before.length && after.every((member, index) => member === before[index])
  return [...changeable(builder, 'it'), ...faults, ...(same ? [] : ['the builder itself was changed'])]
}

type Kit = Readonly<Record<string, Method>>

describe('every modifier returns a new frozen declaration, and does not change the old one', () => {
  it.each(Object.entries(a as unknown as Kit))('a.%s()', (_kind, declare) => {
    const builder = declare() as object
    expect(modifiersOf(builder).length).toBeGreaterThan(60)
    expect(faultsOf(builder, modifiersOf(builder))).toEqual([])
  })

  it.each(Object.entries(relationKit() as unknown as Kit))('%s()', (kind, declare) => {
    const builder = declare(kind.startsWith('morph') ? ['albums', 'artists'] : 'albums') as object
    expect(modifiersOf(builder).length).toBeGreaterThan(40)
    expect(faultsOf(builder, modifiersOf(builder))).toEqual([])
  })

  it.each([id(), id().uuid(), id().ulid().generated()])('id()', (builder) => {
    expect(modifiersOf(builder).length).toBeGreaterThan(10)
    expect(faultsOf(builder, modifiersOf(builder))).toEqual([])
  })

  it.each(Object.entries(f as unknown as Kit))('f.%s()', (kind, declare) => {
    const builder = declare(...(filterArguments[kind] ?? ['title'])) as object
    expect(modifiersOf(builder).length).toBeGreaterThan(10)
    expect(faultsOf(builder, modifiersOf(builder))).toEqual([])
  })

  it.each([numberPage(), offsetPage(), fixedPage(), cursorPage()])('$strategy page', (builder) => {
    const modifiers = Object.keys(builder).filter((name) => typeof builder[name as keyof Paginator] === 'function')
    expect(modifiers).toEqual(['withCount', 'estimable', 'named'])
    expect(faultsOf(builder, modifiers)).toEqual([])
  })

  const resource = defineResource('albums', { model: model<{ id: number }>('albums'), id: id(), tags: ['music'] })
  const type = defineType('albums', { fields: () => ({ id: id() }) })
  type Renamable = AnyResource & { with(metadata: { readonly type: string; readonly server: string }): AnyResource }
  it.each<Renamable>([resource, type])('a declared type', (builder) => {
    const before = held(builder)
    const result = builder.with({ type: 'records', server: 'admin' })
    expect(result).not.toBe(builder)
    expect(result.type).toBe('records')
    expect(builder.type).toBe('albums')
    expect(changeable(builder, 'it')).toEqual([])
    expect(changeable(result, 'it')).toEqual([])
    for (const [index, member] of held(builder).entries()) expect(member).toBe(before[index])
  })
})

describe('values without modifiers are frozen', () => {
  it.each(
    Object.entries({
      model: model<{ id: number; title: string }>('albums', { columns: ['id', 'title'] }),
      'enumeration, described': enumeration('Genre', { rock: 'Loud.' }),
      'enumeration, listed': enumeration('Genre', ['rock']),
      pageMenu: pageMenu([numberPage(), cursorPage()], { default: 'page' }),
      created: created(),
      ok: ok(),
      noContent: noContent(),
      accepted: accepted('jobs'),
      seeOther: seeOther(),
      metaResult: metaResult(),
    }),
  )('%s', (_name, value) => expect(changeable(value, 'it')).toEqual([]))

  it.each(Object.entries(sortKit() as unknown as Kit))('s.%s()', (kind, declare) => {
    expect(changeable(declare(kind === 'custom' ? { compare: () => 0 } : 'title'), 'it')).toEqual([])
  })

  it.each(Object.entries(rule as unknown as Kit))('rule.%s()', (name, declare) => {
    const args = ruleArguments[name] ?? callArguments[name] ?? ['title']
    expect(changeable(declare(...args), 'it')).toEqual([])
  })
})
