import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorCipher } from '../../src/declare/pagination/cursor-cipher.js'
import { runs } from '../support/runs.js'

const secrets = ['the secret of these cursors']

describe('The cached cursors of a server', () => {
  it('are those that a server without cached cursors makes, for any contents', () => {
    const cached = cursorCipher(secrets)
    const content = fc.string({ unit: 'grapheme', maxLength: 400 })
    fc.assert(
      fc.property(content, (each) => {
        const fresh = cursorCipher(secrets).encrypt(each)
        expect([cached.encrypt(each), cached.encrypt(each)]).toEqual([fresh, fresh])
        expect(cached.decrypt(fresh)).toBe(each.toWellFormed() === '' ? null : each.toWellFormed())
      }),
      { numRuns: runs(100) },
    )
  })

  it('stay the same after more of them than are cached', () => {
    const cipher = cursorCipher(secrets)
    const contents = Array.from({ length: 1200 }, (_, index) => `[["id"],["${index}"]]`)
    const first = contents.map((each) => cipher.encrypt(each))
    expect(contents.map((each) => cipher.encrypt(each))).toEqual(first)
    expect(first.map((token) => cipher.decrypt(token))).toEqual(contents)
    expect(new Set(first).size).toBe(contents.length)
  })
})
