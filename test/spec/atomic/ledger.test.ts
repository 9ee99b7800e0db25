import { describe, expect, test } from 'vitest'
import { toldStatements } from '../jsonapi/told-statements.js'
import { sections } from './ledger.js'

const told = toldStatements(new URL('.', import.meta.url))
const toldIds = new Set(told.flatMap(({ ids }) => ids))

describe.each(sections)('the ledger of the section $title', ({ ledger, words }) => {
  test('has a statement for every word of the text that binds or allows', () => {
    const count = Object.values(ledger).reduce((sum, { times = 1 }) => sum + times, 0)
    expect(count).toBe(words)
  })

  test.each(Object.entries(ledger))(
    '%s has a test, and a reason where the service does something else',
    (id, { stands, note }) => {
      expect(toldIds).toContain(id)
      if (stands !== 'tested') expect(note).toMatch(/^[A-Z].*\.$/)
    },
  )
})

test('every test of a statement is of one that a section has, and no two sections share an id', () => {
  const known = sections.flatMap(({ ledger }) => Object.keys(ledger))
  expect([...toldIds].filter((id) => !known.includes(id))).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})
