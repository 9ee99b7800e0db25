import { numberPage } from 'ashlar'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withChangeTables } from '../../scripts/change-docs.mjs'
import { textReport } from '../../src/cli/diff/change-report.js'
import { paintFor } from '../../src/cli/paint.js'
import { changeSubjects } from '../../src/comparison/kinds/change-kinds.js'
import { albums, changesFrom, contractOf, type Kit } from './compared.js'

const page = readFileSync(new URL('../../docs/contract-changes.md', import.meta.url), 'utf8')

test('docs/contract-changes.md lists the kinds of change', () => {
  expect(page, 'run `node scripts/change-docs.mjs`').toBe(withChangeTables(page, changeSubjects))
})

test('docs/contract-changes.md shows what is printed', () => {
  const before = albums({
    attributes: (a: Kit) => ({ title: a.string(), rating: a.integer(), format: a.string().enum(['cd']) }),
    pagination: numberPage({ maxSize: 100 }),
  })
  const after = albums({
    attributes: (a: Kit) => ({ title: a.string().maxLength(100), format: a.string().enum(['cd', 'stream']) }),
    pagination: numberPage({ maxSize: 50 }),
  })
  const open = changesFrom(contractOf(before), contractOf(after))
  const comparison = { open, accepted: [], unused: [], from: 'main:openapi.json', to: 'dist/server.js' }
  expect(page).toContain(`\`\`\`text\n${textReport(comparison, paintFor({}))}\n\`\`\``)
})
