import { array, assert, boolean, constantFrom, property, record, subarray } from 'fast-check'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { mergeSource } from '../../src/tools/pull/merge/merge-source.js'
import { type PartList, sourceTree } from '../../src/tools/pull/merge/source-tree.js'
import { planService } from '../../src/tools/pull/plan/plan-service.js'
import type { SchemaColumn, SchemaTable } from '../../src/stores/sql/schema/database-schema.js'
import { declarationFilesOf } from '../../src/tools/pull/write/pulled-files.js'
import { runs } from '../support/runs.js'
import { column, foreignKey, reference, serial, table } from './schema.js'

/** Columns that a table may have, each in two versions. */
const columns: readonly (readonly [SchemaColumn, SchemaColumn])[] = [
  [column('title', { databaseType: 'varchar(20)' }), column('title', { databaseType: 'varchar(40)' })],
  [column('year', { type: 'integer' }), column('year', { type: 'bigint', nullable: true })],
  [column('cover', { type: 'bytes', nullable: true }), column('cover', { type: 'bytes' })],
  [column('unit price', { type: 'decimal' }), column('unit price', { type: 'decimal', comment: "It's net." })],
  [column('extra', { type: 'json' }), column('extra', { type: 'json', nullable: true })],
  [column('2nd'), column('2nd', { nullable: true, type: 'date' })],
]

const names = ['artists', 'albums', 'tracks']

/** A database of some tables with some columns, some of which refer to each other, directly or by join rows. */
const schemas = record({
  tables: subarray(names, { minLength: 1 }),
  chosen: array(record({ retained: boolean(), version: constantFrom(0, 1) }), {
    minLength: 18,
    maxLength: 18,
  }),
  links: subarray(names.flatMap((one) => names.map((other) => `${one} ${other}`))),
  joins: boolean(),
  indexed: boolean(),
}).map(({ tables, chosen, links, joins, indexed }): readonly SchemaTable[] => {
  const made = tables.map((name, position) => {
    const own = columns.flatMap((versions, index) => {
      const { retained, version } = chosen[position * columns.length + index] ?? { retained: false, version: 0 }
      return retained ? [versions[version] ?? versions[0]] : []
    })
    const targets = tables.filter((target) => links.includes(`${name} ${target}`))
    const keys = targets.map((target) => reference(`${target}_id`, { nullable: indexed }))
    const foreignKeys = targets.map((target) => foreignKey(`${target}_id`, target))
    return table(name, [serial(), ...own, ...keys], { foreignKeys, indexes: indexed ? ['title'] : [] })
  })
  const [one, other] = tables
  if (!joins || one === undefined || other === undefined) return made
  const both = [reference(`${one}_id`), reference(`${other}_id`)]
  const foreignKeys = [foreignKey(`${one}_id`, one), foreignKey(`${other}_id`, other)]
  const more = indexed ? [column('note', { nullable: true })] : []
  const primaryKey = both.map(({ name }) => name)
  return [...made, table('joined', [...both, ...more], { foreignKeys, primaryKey })]
})

const filesOf = (tables: readonly SchemaTable[]) =>
  declarationFilesOf(
    planService(
      { engine: 'postgres', schema: null, tables, unreadable: [], typeValues: new Map(), hasSpacedInstants: false },
      { casing: 'camelCase', excluded: [], relatesByName: false },
    ),
  )

/** The files that two databases have in common, as pairs. */
const pairs = (
  before: readonly SchemaTable[],
  after: readonly SchemaTable[],
): readonly (readonly [string, string])[] => {
  const [old, now] = [filesOf(before), filesOf(after)]
  return [...old].flatMap(([path, base]) => {
    const pulled = now.get(path)
    return pulled === undefined ? [] : [[base, pulled] as const]
  })
}

/** The content of a file without the order and the format of its parts. */
function contentOf({ parts }: PartList): unknown {
  return Object.fromEntries(
    parts
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ key, content, inner }) => [key, inner === null ? content : contentOf(inner)]),
  )
}

const expectSame = (text: string, wanted: string): void => {
  expect(contentOf(sourceTree(text)), text).toEqual(contentOf(sourceTree(wanted)))
}

const printer = ts.createPrinter()

/** Another format: that of the compiler, which has semicolons, and other quotes. */
const reformatted = (text: string): string =>
  printer.printFile(ts.createSourceFile('file.ts', text, ts.ScriptTarget.ES2023)).replaceAll(/'([^'"\n]*)'/g, '"$1"')

test('a file that was only formatted is updated from the database', () => {
  assert(
    property(schemas, schemas, (before, after) => {
      for (const [base, pulled] of pairs(before, after)) {
        const { text, conflicts } = mergeSource({ base, pulled, edited: reformatted(base) })
        expect(conflicts).toEqual([])
        expectSame(text, pulled)
      }
    }),
    { numRuns: runs(400) },
  )
})

test('manual additions stay, and everything else is updated from the database', () => {
  const added = [
    `\n  countable: true,`,
    `\n    shouted: a.string().computed((row) => String(row)),`,
    '.withData()',
  ] as const
  const withAdded = (text: string): string =>
    text
      .replace(/\n {2}id: id\(\),/, `$&${added[0]}`)
      .replace('attributes: (a) => ({', `$&${added[1]}`)
      .replace(/: (?:belongsTo|hasMany)\('\w+'\)(?=[.,])/, `$&${added[2]}`)
  const without = (text: string): string => added.reduce((rest, part) => rest.replace(part, ''), text)
  assert(
    property(schemas, schemas, (before, after) => {
      for (const [base, pulled] of pairs(before, after)) {
        const edited = withAdded(base)
        const { text, conflicts } = mergeSource({ base, pulled, edited })
        if (conflicts.length > 0) continue
        if (edited.includes(added[0])) expect(text).toContain(added[0])
        if (edited.includes(added[1]) && pulled.includes('attributes:')) expect(text).toContain(added[1])
        expectSame(without(text), pulled)
      }
    }),
    { numRuns: runs(400) },
  )
})
