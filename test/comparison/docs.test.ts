import { numberPage } from 'ashlar'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withChangeTables } from '../../scripts/change-docs.mjs'
import { textReport } from '../../src/tools/cli/diff/change-report.js'
import { paintFor } from '../../src/tools/cli/paint.js'
import { changeSubjects } from '../../src/tools/comparison/kinds/change-kinds.js'
import { albums, changesFrom, contractOf, type Kit } from './compared.js'

const tables = pageOf('reference')
const page = pageOf('guide')

test('docs/reference/contract-changes.md lists the kinds of change', () => {
  expect(tables, 'run `node scripts/change-docs.mjs`').toBe(withChangeTables(tables, changeSubjects))
})

test('docs/guide/contract-changes.md shows what is printed', () => {
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

function pageOf(section: string): string {
  return readFileSync(new URL(`../../docs/${section}/contract-changes.md`, import.meta.url), 'utf8')
}
