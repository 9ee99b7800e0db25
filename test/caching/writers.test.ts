import { belongsTo, defineResource, hasMany, id, model } from 'ashlar'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributesWriter } from '../../src/serve/render/attributes-writer.js'
import { json } from '../../src/serve/render/json.js'
import { resourceWriter } from '../../src/serve/render/resource-writer.js'
import { resourceNodeWriter } from '../../src/serve/render/resources-writer.js'
import { valueWriter } from '../../src/serve/render/template-writer.js'
import { attributeOf } from '../../src/declare/resource/fields/attribute-declaration.js'
import { compileAttribute } from '../../src/declare/resource/compiled/compile-attribute.js'
import * as kinds from '../../src/declare/resource/fields/value-kind.js'
import { selectionFor } from '../../src/declare/resource/reading/selection.js'
import { sealed } from '../../src/core/util/sealed.js'
import { context, resources, servedType, withRelations } from '../render/rendered.js'
import { runs } from '../support/runs.js'

/** The fast paths of writers write the same as the general code, and cached writers the same as new ones. */

const oddValues: readonly unknown[] = [
  null,
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  0,
  1,
  -1.5,
  1e21,
  2 ** 53,
  12n,
  2n ** 64n,
  true,
  false,
  '',
  '0',
  ' 12 ',
  '12.70',
  '1e3',
  'a "quoted" \\ text\n',
  'half \ud800 of a pair',
  '\u2028 😀 é',
  '2026-02-28',
  '2026-02-31',
  '2026-2-28',
  '0000-01-01',
  '20"6-02-28',
  '２０２６-02-28',
  '2026-02-28 ',
  '2026-01-31T12:00:00.5+02:00',
  '12:30:00',
  new Date('2026-01-31T12:00:00.250Z'),
  new Date('0999-01-31T12:00:00Z'),
  new Date(Number.NaN),
  [1, 'b', null],
  { a: 1n, b: 'é' },
  new Set([1, 2]),
]

/** A text, or the name of the thrown error. */
function outcome(write: () => string): string {
  try {
    return write()
  } catch (thrown) {
    return `throws ${(thrown as Error).name}`
  }
}

/** An attribute of a kind, with its own column. */
const attributeOfKind = (kind: kinds.ValueKind) => compileAttribute('value', attributeOf(kind).spec)

/** The text of a value that a kind reads: nothing for values that it cannot show. */
function writtenOf(kind: kinds.ValueKind, stored: unknown): string {
  const read = stored === null || stored === undefined ? null : kind.read(stored)
  const isShown = read === null || kind.children === 'columns' || (kind.isWireValue(read) && hasOnlyTexts(read))
  if (!isShown) throw new Error('cannot be shown')
  return json(read)
}

/** The items of a list are texts, unless `of()` or `each()` declare others. */
function hasOnlyTexts(value: unknown): boolean {
  return !Array.isArray(value) || value.every((item) => typeof item === 'string')
}

describe('a value', () => {
  const all = Object.values(kinds).filter(
    (kind): kind is kinds.ValueKind => typeof kind === 'object' && 'read' in kind && 'families' in kind,
  )

  test.each(all.map((kind) => [kind.name, kind] as const))('of the kind %s is written as it is read', (_name, kind) => {
    for (const stored of oddValues) {
      expect(outcome(() => valueWriter(attributeOfKind(kind))(stored))).toEqual(outcome(() => writtenOf(kind, stored)))
    }
  })

  test('with any text or number is written as it is read', () => {
    const unit = fc.constantFrom('a', '7', '.', ' ', '"', '\\', '\n', 'é', '\u2028', '😀', '\ud800', '\udc00')
    const stored = fc.oneof(fc.string({ unit }), fc.double(), fc.integer(), fc.bigInt(), fc.boolean())
    fc.assert(
      fc.property(fc.constantFrom(...all), stored, (kind, value) => {
        expect(outcome(() => valueWriter(attributeOfKind(kind))(value))).toBe(outcome(() => writtenOf(kind, value)))
      }),
      { numRuns: runs(500) },
    )
  })
})

interface ThingRow {
  id: number | string
  text: string
  whole: number
  part: number
  flag: boolean
  at: Date
  on: string
  bag: object
  ownerId: number | null
}

const never = (): boolean => false

/** The same type: once with nothing that depends on the request, once with a predicate that never hides anything. */
function things(isPlain: boolean, more: object = {}) {
  const declared = defineResource('things', {
    model: model<ThingRow>('things'),
    id: id(),
    attributes: (a) => ({
      text: isPlain ? a.string() : a.string().hidden(never),
      whole: a.integer(),
      part: a.decimal(),
      flag: a.boolean(),
      at: a.dateTime(),
      on: a.date(),
      bag: a.arrayHash(),
    }),
    relations: {
      owner: isPlain ? belongsTo('things').via('ownerId') : belongsTo('things').via('ownerId').hidden(never),
      others: hasMany('things').via('ownerId'),
    },
    ...more,
  })
  const artists = servedType(declared)
  return withRelations(artists, {
    owner: { to: [artists] },
    others: { to: [artists], storage: { kind: 'relatedKey', key: { id: 'ownerId', type: null } } as never },
  })
}

const columns = Object.freeze(['id', 'text', 'whole', 'part', 'flag', 'at', 'on', 'bag', 'ownerId'])
const ids: readonly unknown[] = [1, 'a', 'a b', 'é"\\', 'half \ud800', '', 12n, 'a/b?c']

const rows = oddValues.map((stored, index) => [
  ids[index % ids.length],
  ...Array.from({ length: 7 }, () => stored),
  index % 3 === 0 ? null : index,
])

function fieldset(...names: string[]): ReadonlySet<string> {
  return sealed(new Set(names))
}

describe('a resource', () => {
  const [plain, general] = [things(true), things(false)]
  const fieldsets = [undefined, fieldset(), fieldset('text'), fieldset('owner'), fieldset('on', 'whole', 'others')]

  test.each(fieldsets.map((set) => [set === undefined ? 'all of it' : `[${[...set].join()}]`, set] as const))(
    'is written the same where nothing and where something depends on the request: %s',
    (_name, set) => {
      const base = 'https://music.example/"api"'
      const quick = resourceWriter({ served: plain, columns }, { fieldset: set, base })
      const atLength = resourceWriter({ served: general, columns }, { fieldset: set, base })
      const quickAttributes = attributesWriter(selectionFor(plain, set), columns)
      const slowAttributes = attributesWriter(selectionFor(general, set), columns)
      const metas = [null, {}, { pivot: { position: 1 } }]
      for (const [index, row] of rows.entries()) {
        const meta = metas[index % metas.length] ?? null
        const node = { row, relationships: null, meta }
        const written = outcome(() => quick('', { ...node, rows: { served: plain, columns } }, context))
        expect(written).toBe(outcome(() => atLength('', { ...node, rows: { served: general, columns } }, context)))
        if (!written.startsWith('throws')) expect(JSON.parse(written)).toMatchObject({ type: 'things' })
        const object = Object.fromEntries(columns.map((column, at) => [column, row[at]]))
        expect(outcome(() => quickAttributes('x', row, null, context))).toBe(
          outcome(() => slowAttributes('x', row, object, context)),
        )
      }
    },
  )

  test('of any row is written the same by the compiled and by the general writer', () => {
    const base = 'https://music.example'
    const compiled = resourceWriter({ served: plain, columns }, { fieldset: undefined, base })
    const written = resourceWriter({ served: general, columns }, { fieldset: undefined, base })
    const unit = fc.constantFrom('a', '7', '-', ' ', '"', '\\', '\n', '/', 'é', '\u2028', '😀', '\ud800', '\udc00')
    const text = fc.string({ unit })
    const value = fc.oneof(fc.constantFrom(...oddValues), text, fc.double(), fc.integer(), fc.boolean(), fc.date())
    const row = fc.tuple(
      fc.oneof(fc.integer(), text),
      ...Array.from({ length: 7 }, () => value),
      fc.option(fc.integer()),
    )
    fc.assert(
      fc.property(row, fc.constantFrom(null, {}, { pivot: { position: 1 } }), (cells, meta) => {
        const node = { row: cells, relationships: null, meta }
        expect(outcome(() => compiled('x', { ...node, rows: { served: plain, columns } }, context))).toBe(
          outcome(() => written('x', { ...node, rows: { served: general, columns } }, context)),
        )
      }),
      { numRuns: runs(500) },
    )
  })

  test('is written the same with and without empty links and meta of its type', () => {
    const silent = things(true, { meta: () => ({}), links: () => ({}) })
    const usual = resourceWriter({ served: plain, columns }, { fieldset: undefined, base: 'http://localhost' })
    const declared = resourceWriter({ served: silent, columns }, { fieldset: undefined, base: 'http://localhost' })
    for (const row of rows) {
      const node = { row, relationships: null, meta: null }
      expect(outcome(() => usual('', { ...node, rows: { served: plain, columns } }, context))).toBe(
        outcome(() => declared('', { ...node, rows: { served: silent, columns } }, context)),
      )
    }
  })

  test('whose row lacks a column is shown without a value', () => {
    const few = ['id', 'text']
    const write = resourceWriter({ served: plain, columns: few }, { fieldset: undefined, base: '' })
    const written = write(
      '',
      { rows: { served: plain, columns: few }, row: [1, 'x'], relationships: null, meta: null },
      context,
    )
    expect(JSON.parse(written)).toMatchObject({ attributes: { text: 'x', whole: null, at: null, bag: null } })
  })
})

function attributesOf(text: string): object {
  return (JSON.parse(text) as { readonly attributes: object }).attributes
}

describe('cached writers', () => {
  const served = things(true)
  const row = rows[0] ?? []
  const written = (fields: ReadonlyMap<string, ReadonlySet<string>>, base: string, at = columns): string => {
    const node = { rows: { served, columns: at }, row, relationships: null, meta: null }
    return resourceNodeWriter(resources(node, { query: { fields } }), { base, onUnshown: () => undefined })('', node)
  }
  const bases = Array.from({ length: 20 }, (_, index) => `https://host-${index}.example`)

  test('are correct if more hosts than the cache holds alternate', () => {
    const all = new Map<string, ReadonlySet<string>>()
    for (const base of [...bases, ...bases.toReversed(), ...bases]) {
      expect(JSON.parse(written(all, base))).toMatchObject({ links: { self: `${base}/things/1` } })
    }
  })

  test('distinguish a fieldset that was changed from its former value', () => {
    const names = new Set(['text'])
    const fields = new Map([['things', names]])
    expect(Object.keys(attributesOf(written(fields, '')))).toEqual(['text'])
    names.add('whole')
    expect(Object.keys(attributesOf(written(fields, '')))).toEqual(['text', 'whole'])
    names.delete('text')
    expect(Object.keys(attributesOf(written(fields, '')))).toEqual(['whole'])
  })

  test('distinguish fieldsets and columns', () => {
    const [one, two] = [sealed(new Set(['text'])), sealed(new Set(['whole']))]
    const turned = columns.toReversed()
    for (let round = 0; round < 3; round += 1) {
      expect(Object.keys(attributesOf(written(new Map([['things', one]]), '')))).toEqual(['text'])
      expect(Object.keys(attributesOf(written(new Map([['things', two]]), '')))).toEqual(['whole'])
      expect(attributesOf(written(new Map([['things', one]]), '', turned))).toEqual({
        text: row[turned.indexOf('text')] ?? null,
      })
    }
  })
})
