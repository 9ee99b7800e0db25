import {
  belongsTo,
  belongsToMany,
  BuildError,
  createServer,
  defineResource,
  defineType,
  hasMany,
  id,
  model,
  morphTo,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { AttributeKit } from 'ashlar'
import * as fc from 'fast-check'
import { describe, test } from 'vitest'
import { runs } from '../support/runs.js'

type Members = Record<string, unknown>

const declarationMembers = [
  'model id attributes fields relations filters sorts defaultSort server uriType operations readOnly create update delete',
  'fetchOne fetchCollection serializer hydrator provider persister policy abilities cacheHeaders deprecation sunset',
  'sunsetLink tags description defaultIncludes maxIncludeDepth linkage allowedIncludePaths pagination countable selfLink',
  'objectType meta links typo',
].flatMap((line) => line.split(' '))

const settingNames = [
  'data baseUri version jsonapiMeta servers services pagination maxPageSize maxIncludeDepth linkage unknownMembers queryFamilies',
  'strictQueryParameters strictPages limits trustProxy handler serving extensions profiles debug logger messages mappers exceptionMap typo',
].flatMap((line) => line.split(' '))

/** Values that are nearly right: members of the right name around something else. */
const lookalikes: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ strategy: fc.constantFrom('page', 'menu', 5), choices: fc.anything(), size: fc.anything() }),
  fc.record({
    kind: fc.constantFrom('ok', 'accepted', 'field', 'through', 5),
    jobType: fc.anything(),
    path: fc.anything(),
  }),
  fc.record({ name: fc.anything(), key: fc.anything(), columns: fc.anything() }),
  fc.record({ prefix: fc.anything(), host: fc.anything(), middleware: fc.anything() }).map((admin) => ({ admin })),
  fc.record({ uri: fc.anything(), path: fc.anything() }).map((extension) => [extension]),
  fc.record({ uri: fc.anything(), families: fc.anything() }).map((profile) => [profile]),
  fc
    .record({
      role: fc.constantFrom('attribute', 'relation', 'id', 'filter'),
      constraints: fc.constantFrom([], 5),
      faults: fc.constantFrom([], null),
      kind: fc.anything(),
      test: fc.record({ kind: fc.constantFrom('all', 'compare', 5), filters: fc.anything() }),
    })
    .map((spec) => ({ title: { spec } })),
)

const junk: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 2 },
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
  }),
  lookalikes,
  fc.constantFrom<unknown>(Symbol('junk'), /x/i, new Error('x'), Promise.resolve({}), () => undefined),
  fc.constantFrom<unknown>('albums', 'default', 'title', ['FetchOne'], [], {}, true, null, ''),
  fc.anything().map((value) => () => value),
  fc.constant(() => {
    throw new TypeError('junk')
  }),
)

/** Some of the members, each with junk. */
function some(names: readonly string[]): fc.Arbitrary<Members> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), junk), { selector: ([name]) => name, maxLength: 5 })
    .map((entries) => {
      return Object.fromEntries(entries)
    })
}

/** A chain of modifiers that exist, called with whatever. */
const calls: fc.Arbitrary<readonly (readonly [pick: number, args: readonly unknown[]])[]> = fc.array(
  fc.tuple(fc.nat(), fc.array(junk, { maxLength: 2 })),
  { maxLength: 5 },
)

type Calls = Parameters<typeof chained>[1]

function chained(start: unknown, modifiers: readonly (readonly [pick: number, args: readonly unknown[]])[]): unknown {
  return modifiers.reduce<unknown>((declared, [pick, args]) => {
    const methods = methodsOf(declared)
    const method = methods[pick % methods.length]
    if (method === undefined) return declared
    try {
      return (declared as Record<string, (...given: readonly unknown[]) => unknown>)[method]?.(...args)
    } catch {
      // An error that a user-defined callback throws here is thrown at the user's own line.
      return declared
    }
  }, start)
}

/** Methods that only the declarations themselves call. */
const inner = [
  'constructor next with fault added scoped reformat takes formatted versioned bounded childFaults misplaced',
].flatMap((line) => line.split(' '))

function methodsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const prototypes = [
    Object.getPrototypeOf(value),
    Object.getPrototypeOf(Object.getPrototypeOf(value) ?? {}),
  ] as object[]
  return prototypes
    .filter((prototype) => prototype !== null && prototype !== Object.prototype)
    .flatMap((prototype) => Object.getOwnPropertyNames(prototype))
    .filter((name) => !inner.includes(name))
}

const kinds = ['string', 'integer', 'dateTime', 'arrayList', 'arrayHash', 'map', 'object', 'oneOf', 'boolean'] as const
const filterKinds = [
  'where',
  'in',
  'range',
  'has',
  'through',
  'custom',
  'isNull',
  'idIn',
  'hasMatching',
  'all',
] as const
const sortKinds = ['field', 'through', 'custom'] as const

type Kit = Record<string, (...given: readonly unknown[]) => unknown>

interface Written {
  readonly attribute: Calls
  readonly child: Calls
  readonly relation: Calls
  readonly pivot: Calls
  readonly ids: Calls
  readonly filter: Calls
  readonly kind: number
  readonly argument: unknown
  readonly other: unknown
}

const written: fc.Arbitrary<Written> = fc.record({
  attribute: calls,
  child: calls,
  relation: calls,
  pivot: calls,
  ids: calls,
  filter: calls,
  kind: fc.nat(100),
  argument: junk,
  other: junk,
})

/** A declaration whose modifiers were all called, with whatever. */
function declaredWith({ attribute, child, relation, pivot, ids, filter, kind, argument, other }: Written): Members {
  const composite = (a: AttributeKit<unknown>): unknown => {
    const nested = { label: chained(a.string(), child), junk: argument } as never
    return kind % 2 === 0 ? a.object().fields(nested) : a.oneOf().variant('card', nested)
  }
  const joined = belongsToMany('albums').fields((a) => ({ rank: chained(a.integer(), pivot) as never }))
  const relations = [belongsTo('albums'), hasMany('albums'), morphTo(['albums', 'x']), joined]
  return {
    model: model('albums', { columns: ['id', 'title'] as never }),
    id: chained(id(), ids),
    attributes: (a: AttributeKit<unknown>) => ({
      title: chained(a[kinds[kind % kinds.length] ?? 'string'](), attribute),
      info: composite(a),
    }),
    relations: { other: chained(relations[kind % relations.length], relation) },
    filters: (f: Kit) => ({
      title: chained(f[filterKinds[kind % filterKinds.length] ?? 'where']?.(argument, other), filter),
    }),
    sorts: (s: Kit) => ({ title: s[sortKinds[kind % sortKinds.length] ?? 'field']?.(argument) }),
  }
}

function build(settings: unknown): void {
  try {
    createServer(settings as never)
  } catch (thrown) {
    if (!(thrown instanceof BuildError)) throw thrown
  }
}

describe('a build returns a server or throws a BuildError, never another error', () => {
  test('for any members of declarations and settings', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constant('albums'), junk),
        some(declarationMembers),
        some(declarationMembers),
        some(settingNames),
        (type, members, others, settings) => {
          const albums = defineResource(type as never, { model: model('albums'), id: id(), ...members })
          const countries = defineType('countries', { fields: () => ({ code: id() }), ...others })
          build({ resources: [albums, countries], data: memoryData(), ...settings })
        },
      ),
      { numRuns: runs(500) },
    )
  })

  test('for any arguments of modifiers', () => {
    fc.assert(
      fc.property(written, some(declarationMembers), (given, members) => {
        const albums = defineResource('albums', { ...declaredWith(given), ...members } as never)
        build({ resources: [albums], data: memoryData() })
      }),
      { numRuns: runs(500) },
    )
  })

  test('for any settings and declarations', () => {
    fc.assert(
      fc.property(junk, fc.array(junk), (settings, resources) => {
        build(settings)
        build({ resources })
        build({ resources: resources.map((members) => ({ type: members, origin: 'resource', members })) })
      }),
      { numRuns: runs(500) },
    )
  })
})
