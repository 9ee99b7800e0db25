import { describe, expect, test } from 'vitest'
import { statementTests } from '../jsonapi/statement-tests.js'
import { sections } from './ledger.js'

const tests = statementTests(new URL('.', import.meta.url))
const testedIds = new Set(tests.flatMap(({ ids }) => ids))

describe.each(sections)('the ledger of the section $title', ({ ledger, words }) => {
  test('has a statement for every normative word of the text', () => {
    const count = Object.values(ledger).reduce((sum, { times = 1 }) => sum + times, 0)
    expect(count).toBe(words)
  })

  test.each(Object.entries(ledger))(
    '%s has a test, and a reason if the service does something else',
    (id, { status, note }) => {
      expect(testedIds).toContain(id)
      if (status !== 'tested') expect(note).toMatch(/^[A-Z].*\.$/)
    },
  )
})

test('every tested statement is in a section, and no two sections share an id', () => {
  const known = sections.flatMap(({ ledger }) => Object.keys(ledger))
  expect([...testedIds].filter((id) => !known.includes(id))).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})
