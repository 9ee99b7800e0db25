import { expectStatements, statementCounter } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'

const report = (...texts: readonly string[]) => {
  const counter = statementCounter()
  for (const sql of texts) counter.onStatement({ sql, values: [] })
  return counter
}

describe('A counter', () => {
  test('has the statements that were reported to it, until it is reset', () => {
    const counter = report('select 1', 'select 2')
    expect([counter.count, counter.statements.map(({ sql }) => sql)]).toEqual([2, ['select 1', 'select 2']])
    counter.reset()
    expect([counter.count, counter.statements]).toEqual([0, []])
  })

  test('returns those that ran during some work, and continues to count', async () => {
    const counter = report('select 1')
    const ran = await counter.during(async () => {
      await Promise.resolve()
      counter.onStatement({ sql: 'select 2', values: ['x'] })
    })
    expect(ran).toEqual([{ sql: 'select 2', values: ['x'], kind: 'read' }])
    expect(counter.count).toBe(2)
  })

  test('rejects as the work does', async () => {
    const refused = new Error('No.')
    await expect(statementCounter().during(() => Promise.reject(refused))).rejects.toBe(refused)
  })

  test('can be destructured', async () => {
    const { onStatement, during } = statementCounter()
    expect(await during(() => onStatement({ sql: 'select 1' }))).toEqual([
      { sql: 'select 1', values: [], kind: 'read' },
    ])
  })

  test.each([
    ['select * from albums', 'read'],
    ['select "t0"."id" from "albums" as "t0" where "t0"."id" = $1 for update', 'read'],
    ['with picked as (select 1) select * from picked', 'read'],
    ['with picked as (select id from albums for update of albums) select * from picked', 'read'],
    ['with picked as (select id from albums for no key update) select "update" from picked', 'read'],
    ['with picked as (select id from albums for\n  update) select * from picked', 'read'],
    ['with picked as (select id from albums for no key\t update) select * from picked', 'read'],
    ['explain select 1', 'read'],
    ["select setval('albums_id_seq', 9)", 'read'],
    ['insert into albums (title) values ($1) returning *', 'write'],
    ['UPDATE albums SET title = $1', 'write'],
    ['delete from albums', 'write'],
    ['\n  -- A note.\n  /* And\n another. */ delete from albums', 'write'],
    ['with gone as (delete from albums returning id) select * from gone', 'write'],
    ['with new as (insert into albums default values returning *) select * from new', 'write'],
    [
      'with said (id, title) as (values ($1, $2)) update "albums" as "written" set title = said.title from said',
      'write',
    ],
  ] as const)('takes %j for a %s', (sql, kind) => {
    expect(report(sql).statements[0]?.kind).toBe(kind)
  })
})

describe('An expectation of statements', () => {
  const { statements } = report('select 1', 'select 2', 'delete from albums')

  test.each([3, { count: 3 }, { reads: 2 }, { writes: 1 }, { count: 3, reads: 2, writes: 1 }, {}])(
    'of %j is met',
    (expected) => {
      expect(expectStatements(statements, expected)).toBe(statements)
    },
  )

  test('that is not met lists the statements', () => {
    expect(() => expectStatements(statements, { count: 2, reads: 1, writes: 1 })).toThrow(
      new Error(
        [
          'Expected 2 statements, and there were 3.',
          'Expected 1 reads, and there were 2.',
          'These ran:',
          '  1. (read) select 1',
          '  2. (read) select 2',
          '  3. (write) delete from albums',
        ].join('\n'),
      ),
    )
  })

  test('that is not met shows the beginning of long statements', () => {
    const { statements: long } = report(`select ${'?, '.repeat(1000)}?`)
    expect(() => expectStatements(long, 0)).toThrow(/1\. \(read\) select [?, ]{493} …$/)
  })

  test('that fails reports that none ran', () => {
    expect(() => expectStatements([], 1)).toThrow('Expected 1 statements, and there were 0.\nNone ran.')
  })
})
