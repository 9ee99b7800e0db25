import { expect, test } from 'vitest'
import { verify } from '../../src/tools/verify/verify.js'
import { document, type Loose } from './changes.js'
import { type Change, handleTransport } from './handle-transport.js'
import { verifiedCatalogue } from './verified-catalogue.js'

/** A violated MUST is a failure, so what may have another reason must be none. */

const statements = ['fetch-relationships-response-200-primary-data', 'resource-related-resource-link'] as const

async function reportWith(change: Change) {
  const transport = handleTransport(verifiedCatalogue(), change)
  return await verify({ url: 'http://catalogue.test/', statements: [...statements], transport })
}

/** The change of the first response only, as if another client wrote between two reads. */
function once(when: string, change: (shown: Loose) => void): Change {
  let isChanged = false
  return document(when, (shown) => {
    if (!isChanged) change(shown)
    isChanged = true
  })
}

test.each(['GET /albums/1/relationships/artist', 'GET /albums/1/artist'])(
  'a relationship that changes during the run is no violation: %s',
  async (when) => {
    const report = await reportWith(once(when, (shown) => (shown.data.id = '3')))
    expect(report.statements.map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  },
)

test('related resources that are missing may be hidden from the caller: a note', async () => {
  const report = await reportWith(document('GET /albums/1/artist', (shown) => (shown.data = null)))
  expect(report.statements.map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  expect(report.notes.join('\n')).toContain('without resources that the linkage identifies')
})
