import { describe, expect, it } from 'vitest'
import { negotiateCoding } from '../../src/serve/negotiate/accept-encoding.js'

const refuses = (header: string) => negotiateCoding(header, ['br', 'gzip']).refusesIdentity
const codingOf = (header: string | undefined) => negotiateCoding(header, ['br', 'gzip']).coding

/** https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding */
describe('Accept-Encoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip; Q=0.500', 'br'],
    ['br ; q=0.1,gzip;q=0.2', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip, *;q=0.5', 'gzip'],
    ['gzip, identity', 'gzip'],
    ['gzip;q=0.5, identity;q=0.4', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
  ])('%j prefers %s', (header, coding) => {
    expect(codingOf(header)).toBe(coding)
  })

  it.each([
    undefined,
    '',
    'identity',
    'deflate',
    'gzip;q=0',
    'br;q=0, gzip;q=0.000, *;q=0',
    '*;q=0',
    'gzip;q=0.5, identity',
    'gzip;q=0.5, identity;q=0.6',
    'gzip;q=2',
    'gzip;q=0.1234',
    'gzip;level=1',
    'gzip br',
    '"gzip"',
    ',;,',
  ])('%j requests none of them', (header) => {
    expect(codingOf(header)).toBeNull()
  })

  it('may refuse a response that is not encoded', () => {
    expect(['gzip, identity;q=0', 'gzip, *;q=0', 'gzip, *;q=0, identity;q=0'].map(refuses)).toEqual([true, true, true])
    expect(['gzip', 'gzip, *', 'gzip, *;q=0, identity'].map(refuses)).toEqual([false, false, false])
    // Nothing can be sent that this client accepts, and so the header is disregarded.
    expect(negotiateCoding('*;q=0', ['br'])).toEqual({ coding: null, refusesIdentity: false })
  })
})
