import { describe, expect, test } from 'vitest'
import { conformancePage } from './conformance-page.js'
import { publishedStatements, type Statement, statements } from './ledger.js'
import { toldStatements } from './told-statements.js'

const ledger: Readonly<Record<string, Statement>> = statements
const told = toldStatements()
const toldIds = new Set(told.flatMap(({ ids }) => ids))

describe('the ledger of statements about creating, updating and deleting', () => {
  test('has every statement of the published list', () => {
    const count = Object.values(ledger).reduce((sum, { times = 1 }) => sum + times, 0)
    expect(count).toBe(publishedStatements)
  })

  test.each(Object.entries(ledger).filter(([, { stands }]) => stands === 'tested'))('%s has a test', (id) => {
    expect([...toldIds]).toContain(id)
  })

  test.each(Object.entries(ledger).filter(([, { stands }]) => stands !== 'tested'))(
    '%s, which nothing holds the server to, has a reason',
    (_id, { note }) => {
      expect(note).toMatch(/^[A-Z].*\.$/)
    },
  )

  test('knows every statement that a test is told to be of', () => {
    expect([...toldIds].filter((id) => !Object.hasOwn(ledger, id))).toEqual([])
  })

  test('is told of all tests there are', () => {
    expect(new Set(told.map(({ file }) => file))).toEqual(
      new Set([
        'creating.test.ts',
        'deleting.test.ts',
        'responses.test.ts',
        'updating-relationships.test.ts',
        'updating.test.ts',
      ]),
    )
  })
})

test('docs/conformance.md shows the ledger (written by `npx vitest run test/spec/jsonapi/ledger.test.ts --update`)', async () => {
  await expect(conformancePage(told)).toMatchFileSnapshot('../../../docs/conformance.md')
})
