import { describe, expect, test } from 'vitest'
import {
  type StatementId,
  statementChapters,
  statementIds,
  statementOf,
} from '../../src/tools/format/statements/statements.js'
import { chapters } from '../spec/jsonapi/chapters.js'
import { documentFaults } from './document-faults.js'
import { featureFaults, upsertFaults } from './feature-faults.js'
import { linkFaults, negotiationFaults, openapiFaults, pageFaults, queryFaults } from './reading-faults.js'
import { statementsPage } from './statements-page.js'
import { creationFaults, deletionFaults, relationshipFaults, updateFaults } from './writing-faults.js'

const listed = statementIds.map((id) => [id, statementOf(id)] as const).filter(([, { source }]) => source === undefined)

test('the table has every statement of the published list', () => {
  expect(listed.reduce((sum, [, { times = 1 }]) => sum + times, 0)).toBe(188)
  expect(new Set(listed.map(([id, { listedAs }]) => listedAs ?? id))).toEqual(
    new Set(
      chapters.flatMap(({ ledger }) => Object.entries(ledger).flatMap(([id, { times }]) => (times === 0 ? [] : [id]))),
    ),
  )
})

describe.each(statementChapters)('the statements of $title', ({ statements }) => {
  test.each(Object.entries(statements))('%s is a sentence with its level, and how it is checked', (_id, statement) => {
    const { text, level, seen, needs } = statement
    expect(text).toMatch(/^[A-Z@].*\.$/s)
    if (statement.source === undefined && level !== 'MAY') expect(text).toMatch(/MUST|SHOULD|RECOMMENDED/)
    if (['feature', 'write', 'hidden'].includes(seen)) expect(needs).toMatch(/^\S/)
    else expect(needs).toBe(undefined)
  })
})

const faulty = [
  ...negotiationFaults,
  ...linkFaults,
  ...queryFaults,
  ...pageFaults,
  ...openapiFaults,
  ...featureFaults,
  ...upsertFaults,
  ...creationFaults,
  ...updateFaults,
  ...relationshipFaults,
  ...deletionFaults,
].map(({ violates }) => violates)

const violated: ReadonlySet<StatementId> = new Set([...faulty, ...documentFaults.map(([statement]) => statement)])

/** Statements that a run can check, but that no server can violate visibly. */
const neverViolated: readonly StatementId[] = [
  // Optional members, whose form other statements are about.
  'optional-top-level',
  'resource-optional-top-level',
  'resource-relationships-pagination',
  'resource-links',
  'resource-identifier-optional-member',
  'compound-documents-allow',
  'top-level-json-api-member',
  'json-api-meta',
  // Names that other statements are about.
  'query-parameters-under-camel',
  'filtering',
  // HTTP at the URLs of relationships is checked like everywhere.
  'fetch-relationships-http-semantics',
  // They apply to responses with only meta.
  'update-resource-200-meta',
  'update-resource-200-meta-representation',
  'updating-relationship-200-meta',
  'updating-relationship-200-meta-content',
  // Nothing shows that a server has changed more of a relationship than was requested.
  'updating-relationship-200-status',
  // It succeeds or not: statements about each method are about the rest.
  'respond-patch-post-delete-to-many-relationship-link',
]

test('every statement that a run can check has a fault that violates it', () => {
  const visible = statementIds.filter((id) => ['read', 'feature', 'write'].includes(statementOf(id).seen))
  expect(visible.filter((id) => !violated.has(id))).toEqual(visible.filter((id) => neverViolated.includes(id)))
  expect(neverViolated.filter((id) => violated.has(id))).toEqual([])
})

test('no fault is about a statement that binds clients or permits something', () => {
  expect([...violated].filter((id) => ['client', 'permission', 'hidden'].includes(statementOf(id).seen))).toEqual([])
})

test('docs/reference/verify-statements.md shows the table (written by `npx vitest run test/verify/statements.test.ts --update`)', async () => {
  await expect(statementsPage()).toMatchFileSnapshot('../../docs/reference/verify-statements.md')
})
