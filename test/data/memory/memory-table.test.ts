import { expect, it } from 'vitest'
import { allRows } from '../../../src/stores/memory/layered-rows.js'
import { draftOf, insertInto, memoryTable, replaceIn, findTableRow } from '../../../src/stores/memory/memory-table.js'

it('no two rows of a table have the same key: of seeds and of join rows, the later replaces the earlier', () => {
  const table = memoryTable('id', [{ id: 1, note: 'a' }, { id: 2 }, { id: '1', note: 'b' }])
  expect(allRows(table.rows)).toEqual([{ id: '1', note: 'b' }, { id: 2 }])
  const draft = draftOf(table)
  insertInto(draft, { id: 1, note: 'c' }, 'number')
  insertInto(draft, { note: 'd' }, 'number')
  expect(allRows(draft.rows)).toEqual([{ id: 1, note: 'c' }, { id: 2 }, { id: 3, note: 'd' }])
})

it('a row that takes another key, or another value of any column, is found only by the new one', () => {
  const draft = draftOf(
    memoryTable('id', [
      { id: 1, code: 'a' },
      { id: 2, code: 'b' },
    ]),
  )
  const stored = findTableRow(draft, 'code', 'a')
  expect(stored?.row).toEqual({ id: 1, code: 'a' })
  if (stored !== undefined) replaceIn(draft, stored, { id: 5, code: 'c' })
  expect([findTableRow(draft, 'id', 1), findTableRow(draft, 'code', 'a')]).toEqual([undefined, undefined])
  for (const found of [findTableRow(draft, 'id', '5'), findTableRow(draft, 'code', 'c')]) {
    expect(found?.row).toEqual({ id: 5, code: 'c' })
  }
  expect(allRows(draft.rows)).toEqual([
    { id: 5, code: 'c' },
    { id: 2, code: 'b' },
  ])
})
