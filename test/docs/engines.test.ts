import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dialects } from '../../src/stores/sql/dialect/dialects.js'
import type { SqlDialect } from '../../src/stores/sql/dialect/dialect.js'

const engines = [
  ['SQLite', dialects.sqlite],
  ['PostgreSQL', dialects.postgres],
  ['MySQL', dialects.mysql],
  ['MariaDB', dialects.mariadb],
] as const

const features: readonly (readonly [name: string, has: (dialect: SqlDialect) => boolean])[] = [
  ['A create is one statement', ({ can }) => can.returnInserted],
  ['An update, and a deletion with its rules, is one statement', ({ can }) => can.returnRows],
  ['Any number of rows is one parameter', ({ spell }) => spell.boundRows !== null],
  ['Several requests write at the same time', ({ can }) => can.writeConcurrently],
  ['Columns of lists of another type than JSON', ({ lists }) => lists.overlaps !== null],
  ['A page after a cursor is one range of an index', ({ can }) => can.compareRows === 'ranges'],
  ['Words are searched', ({ search }) => search !== null],
  ['Totals are estimated', ({ estimates }) => estimates !== null],
  ['A lock marks a key of a request as used', ({ transactions }) => transactions.tryLock !== null],
  ['Replicas serve reads', ({ log }) => log !== null],
]

function row(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
}

test('the table of engines on the page "MySQL and MariaDB" is that of the dialects', () => {
  const page = readFileSync(new URL('../../docs/guide/mysql.md', import.meta.url), 'utf8')
  const [, table = ''] = /<!-- engines -->\n\n([^]*?)\n\n<!-- \/engines -->/.exec(page) ?? []
  const rows = features.map(([name, has]) => row([name, ...engines.map(([, dialect]) => (has(dialect) ? 'yes' : ''))]))
  expect(table.split('\n')).toEqual([
    row(['Feature', ...engines.map(([name]) => name)]),
    '|---|---|---|---|---|',
    ...rows,
  ])
})
