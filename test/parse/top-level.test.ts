import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkTopLevel } from '../../src/serve/parse/body.js'
import { thrownProblem } from './thrown-problem.js'

const resource = async (document: unknown) => (await thrownProblem(() => checkTopLevel(document, 'resource')))?.code
const linkage = async (document: unknown) => (await thrownProblem(() => checkTopLevel(document, 'linkage')))?.code

describe('A request document', () => {
  it('is returned if its top level is legal', () => {
    const document = { data: { type: 'albums' }, included: [], meta: {} }
    expect(checkTopLevel(document, 'resource')).toBe(document)
    expect(checkTopLevel(undefined, 'resource')).toBeUndefined()
  })

  it('must have data, errors or meta', async () => {
    expect(await resource({})).toBe('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
    expect(await resource({ jsonapi: {} })).toBe('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
    expect(await resource({ data: null })).toBeUndefined()
    expect(await resource({ meta: {} })).toBeUndefined()
    expect(await resource({ errors: [] })).toBeUndefined()
  })

  it('must not have data and errors', async () => {
    expect(await resource({ data: {}, errors: [] })).toBe('TOP_LEVEL_MEMBERS_INCOMPATIBLE')
    expect(await linkage({ data: null, errors: [] })).toBe('TOP_LEVEL_MEMBERS_INCOMPATIBLE')
  })

  it('must not have included without data', async () => {
    expect(await resource({ meta: {}, included: [] })).toBe('TOP_LEVEL_MEMBER_NOT_ALLOWED')
    expect(await linkage({ included: [] })).toBe('TOP_LEVEL_MEMBER_NOT_ALLOWED')
  })

  it('may have null data, or none, where it holds linkage', async () => {
    expect(await linkage({ data: null })).toBeUndefined()
    expect(await linkage({ data: [] })).toBeUndefined()
    expect(await linkage({})).toBeUndefined()
  })

  it.each([[null], [[]], ['data'], [1], [true]])('must be an object: %j', async (document) => {
    expect(await resource(document)).toBe('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
    expect(await linkage(document)).toBe('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
  })

  it('gets no member from a prototype that it names', async () => {
    expect(await resource(JSON.parse('{"__proto__":{"data":{}}}'))).toBe('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
  })

  it('never fails with anything but these codes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (document) => {
        await resource(document)
        await linkage(document)
      }),
    )
  })
})
