import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { awaitingFile, provocationFaults } from '../../scripts/check-provoked.mjs'
import { catalogue } from '../../src/core/errors/catalogue.js'

describe('the provocation ledger', () => {
  const codes = ['A', 'B']

  test('is in order when every code is either provoked or awaiting', () => {
    expect(provocationFaults({ codes, provoked: new Set(['A']), awaiting: { B: 'storage' } })).toEqual([])
  })

  test('names a code that is neither provoked nor awaiting', () => {
    expect(provocationFaults({ codes, provoked: new Set(['A']), awaiting: {} })).toEqual([
      'B occurs in no test: add a test, or add the code with its feature to awaiting-feature.json.',
    ])
  })

  test('names a code that is awaiting although it is provoked', () => {
    expect(provocationFaults({ codes, provoked: new Set(codes), awaiting: { B: 'storage' } })).toEqual([
      "B waits for 'storage', but occurs in a test: remove it from awaiting-feature.json.",
    ])
  })

  test('names an awaiting code that the catalogue does not have', () => {
    expect(provocationFaults({ codes, provoked: new Set(codes), awaiting: { C: 'storage' } })).toEqual([
      'C is in awaiting-feature.json, but not in the catalogue: remove it.',
    ])
  })

  test('ignores provoked codes of applications', () => {
    expect(provocationFaults({ codes, provoked: new Set([...codes, 'SOLD_OUT']), awaiting: {} })).toEqual([])
  })
})

test('every awaiting code is in the catalogue and names a feature', () => {
  const awaiting: Record<string, unknown> = JSON.parse(readFileSync(awaitingFile, 'utf8'))
  for (const [code, feature] of Object.entries(awaiting)) {
    expect(Object.keys(catalogue)).toContain(code)
    expect(feature).toMatch(/^[a-z ]+$/)
  }
})
