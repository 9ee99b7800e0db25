import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentDifferences } from '../../src/tools/cli/document-differences.js'
import { compareContracts } from '../../src/tools/comparison/compare-contracts.js'
import type { Contract } from '../../src/tools/comparison/model/contract.js'
import { contractDocument } from '../../src/tools/comparison/model/contract-document.js'
import { readContract } from '../../src/tools/comparison/model/read-contract.js'
import { runs } from '../support/runs.js'
import { anyChange, anyService } from './any-service.js'
import { documentOf } from './compared.js'

const now = new Date('2026-06-15')

function read(text: string): Contract {
  return readContract(contractDocument(JSON.parse(text), 'the document'))
}

test.each(['openapi.json', 'openapi.admin.json'])('%s of the music catalogue is the same as itself', (file) => {
  const text = readFileSync(new URL(`../../examples/music/${file}`, import.meta.url), 'utf8')
  expect(compareContracts(read(text), read(text), { now })).toEqual([])
})

test('a contract is equal to itself, for all declarations', () => {
  fc.assert(
    fc.property(anyService, (service) => {
      const text = documentOf(service)
      expect(compareContracts(read(text), read(text), { now })).toEqual([])
    }),
    { numRuns: runs(40) },
  )
})

/** Members of documents without an effect on requests and responses. */
const words = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'title',
  'tags',
  'x-enum-descriptions',
  // Headers that are for debugging only.
  'Server-Timing',
  'Query-Cost',
])

function withoutWords(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => (words.has(name) ? undefined : value))
}

test('no difference of two documents is missed, and additions in one direction are removals in the other', () => {
  fc.assert(
    fc.property(anyChange, ([one, other]) => {
      const [before, after] = [documentOf(one), documentOf(other)]
      const forth = compareContracts(read(before), read(after), { now })
      const back = compareContracts(read(after), read(before), { now })
      const noticed = forth.filter(({ code }) => code !== 'text-changed')
      const differences = documentDifferences(withoutWords(before), withoutWords(after))
      // The sentences show which change was missed, and which was found although nothing has changed.
      if (noticed.length === 0) expect(differences).toEqual([])
      if (differences.length === 0) expect(noticed).toEqual([])
      const pathsOf = (changes: typeof forth, ...codes: readonly string[]): readonly string[] =>
        changes
          .filter(({ code }) => codes.includes(code))
          .map(({ place }) => place)
          .toSorted()
      for (const [removed, added] of opposites) {
        expect(pathsOf(back, ...added)).toEqual(expect.arrayContaining([...pathsOf(forth, ...removed)]))
      }
    }),
    { numRuns: runs(80) },
  )
})

/** Codes of which one is found where the other is found in the other direction. */
const opposites: readonly (readonly [removed: readonly string[], added: readonly string[]])[] = [
  [['operation-removed'], ['operation-added']],
  [['member-removed'], ['member-added', 'member-required']],
  [['member-added'], ['member-removed']],
  [['filter-removed'], ['filter-added']],
  [['sort-removed'], ['sort-added']],
  [['count-removed'], ['count-added']],
  [['linkage-removed'], ['linkage-added']],
  [['response-null-possible'], ['response-null-gone']],
  [['request-null-refused'], ['request-null-accepted']],
  [['limit-lowered'], ['limit-raised']],
  [['page-limit-lowered'], ['page-limit-raised']],
  [['success-status-removed'], ['success-status-added']],
  [['error-status-removed'], ['error-status-added']],
]
