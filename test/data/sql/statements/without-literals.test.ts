import { expect, test } from 'vitest'
import { withoutLiterals } from '../../../../src/stores/sql/statement/ran-statement.js'

test.each([
  ["select 1 from albums where title = 'Dummy'", 'select ? from albums where title = ?'],
  ["select * from a where t in ('it''s', '', 'b')", 'select * from a where t in (?, ?, ?)'],
  ['select * from albums where id = $1 and x = $12', 'select * from albums where id = $1 and x = $12'],
  ['select * from albums where id = ? limit 10', 'select * from albums where id = ? limit ?'],
  [
    'select "t0"."year2000", t1.x from "it\'s 7" as "t0", t1',
    'select "t0"."year2000", t1.x from "it\'s 7" as "t0", t1',
  ],
  ['select 1.5, -2, x3, 4x', 'select ?, -?, x3, 4x'],
  ['select $$a secret$$, $tag$another $$ secret$tag$', 'select ?, ?'],
  ["update albums set title = 'a", "update albums set title = 'a"],
])('%s', (sql, expected) => {
  expect(withoutLiterals(sql)).toBe(expected)
})
