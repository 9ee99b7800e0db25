import { describe, expect, test } from 'vitest'
import { statementOf } from '../../src/tools/format/statements/statements.js'
import { verify } from '../../src/tools/verify/verify.js'
import { featureFaults, upsertFaults } from './feature-faults.js'
import { handleTransport } from './handle-transport.js'
import { type Fault, linkFaults, negotiationFaults, openapiFaults, pageFaults, queryFaults } from './reading-faults.js'
import { verifiedCatalogue } from './verified-catalogue.js'
import { creationFaults, deletionFaults, relationshipFaults, updateFaults } from './writing-faults.js'

const url = 'http://catalogue.test/'

/** Reads change nothing, so that one server is enough for all of them; only some faults are of its description, which takes long to check. */
const readServer = verifiedCatalogue({ isDescribed: false })
const describedServer = verifiedCatalogue()

/** Writes need few rows, and most of them no description: a run is quicker without. */
const writtenServer = (isDescribed: boolean) => verifiedCatalogue({ isDescribed, albums: 1 })

/** Verifies one statement on a server with a fault. */
async function outcomeOf({ violates, by }: Fault, server: ReturnType<typeof verifiedCatalogue>, writes = false) {
  const { statements } = await verify({ url, writes, statements: [violates], transport: handleTransport(server, by()) })
  const [statement] = statements
  return statement
}

describe.each([
  { chapter: 'content negotiation', faults: negotiationFaults },
  { chapter: 'links', faults: linkFaults },
  { chapter: 'queries', faults: queryFaults },
  { chapter: 'pages', faults: pageFaults },
  { chapter: 'OpenAPI', faults: openapiFaults },
  { chapter: 'features', faults: featureFaults },
])('a server with a fault of $chapter', ({ faults }) => {
  test.each(faults)('that $is violates $violates', async (fault) => {
    const statement = await outcomeOf(
      fault,
      faults === openapiFaults || faults === featureFaults ? describedServer : readServer,
    )
    expect(statement).toMatchObject({ id: fault.violates, outcome: fault.outcome ?? 'failed' })
    expect(statement?.findings[0]?.problem).toMatch(/\S.*\S/)
  })
})

/** A violated MUST is a failure: other findings about a MUST are these. */
const warnings = {
  'the MUST binds the client': [
    'create-single-resource',
    'create-type-member',
    'update-patch-resource',
    'update-patch-resource-members',
    'patch-to-one-data-member',
    'patch-post-delete-to-many-data-member',
  ],
  'superseded for every server: a pointer to a missing member leads clients to the field of a form': [
    'error-source-pointer',
  ],
  'the format leaves the keys of page to servers': ['query-parameters-bad-request'],
}

test('warnings about a MUST are only of statements with a reason', () => {
  const faults = [
    negotiationFaults,
    linkFaults,
    queryFaults,
    pageFaults,
    openapiFaults,
    featureFaults,
    upsertFaults,
    creationFaults,
    updateFaults,
    relationshipFaults,
    deletionFaults,
  ].flat()
  const warned = faults.filter(
    ({ outcome, violates }) => outcome === 'warned' && statementOf(violates).level === 'MUST',
  )
  expect(new Set(warned.map(({ violates }) => violates))).toEqual(new Set(Object.values(warnings).flat()))
})

describe.each([
  { chapter: 'creating', faults: creationFaults },
  { chapter: 'updating', faults: updateFaults },
  { chapter: 'relationships', faults: relationshipFaults },
  { chapter: 'deleting', faults: deletionFaults },
  { chapter: 'upserts', faults: upsertFaults },
])('a server with a fault of $chapter', ({ faults }) => {
  test.each(faults)('that $is violates $violates', async (fault) => {
    const statement = await outcomeOf(fault, writtenServer(faults === upsertFaults), true)
    expect(statement).toMatchObject({ id: fault.violates, outcome: fault.outcome ?? 'failed' })
  })
})
