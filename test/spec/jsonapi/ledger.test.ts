import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { chapters } from './chapters.js'
import { conformancePage } from './conformance-page.js'
import type { PointedStatement } from './pointed-statement.js'
import { statementTests } from './statement-tests.js'

const tests = statementTests(new URL('.', import.meta.url))
const testedIds = new Set(tests.flatMap(({ ids }) => ids))

describe.each(chapters)('the ledger of the chapter $title', ({ ledger, published }) => {
  test('has every statement of the published list', () => {
    const count = Object.values(ledger).reduce((sum, { times = 1 }) => sum + times, 0)
    expect(count).toBe(published)
  })

  test.each(Object.entries(ledger))('%s has an existing test, or a reason to have none', (id, statement) => {
    const { status, by = [], note } = statement
    if (status === 'tested') expect(testedIds.has(id) || by.length > 0).toBe(true)
    else expect(note).toMatch(/^[A-Z].*\.$/)
    expect(missingTests(statement)).toEqual([])
  })
})

function missingTests({ by = [] }: PointedStatement): readonly string[] {
  return by.flatMap(([file, name]) => {
    const url = new URL(`../../${file}`, import.meta.url)
    const found = existsSync(url) && readFileSync(url, 'utf8').includes(name)
    return found ? [] : [`${file} has no '${name}'`]
  })
}

test('every tested statement is in a chapter', () => {
  const known = new Set(chapters.flatMap(({ ledger }) => Object.keys(ledger)))
  expect([...testedIds].filter((id) => !known.has(id))).toEqual([])
  expect(tests.length).toBeGreaterThan(60)
})

test('docs/internals/conformance.md shows the ledgers (written by `npx vitest run test/spec/jsonapi/ledger.test.ts --update`)', async () => {
  const atomic = statementTests(new URL('../atomic/', import.meta.url))
  await expect(conformancePage({ format: tests, atomic })).toMatchFileSnapshot('../../../docs/internals/conformance.md')
})
