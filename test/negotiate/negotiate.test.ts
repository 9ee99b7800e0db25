import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ATOMIC_EXTENSION, MEDIA_TYPE } from '../../src/core/document/media-type.js'
import { createNegotiator } from '../../src/serve/negotiate/negotiator.js'
import { stubRequest } from '../parse/stub-request.js'
import { thrownProblem } from '../parse/thrown-problem.js'
import { runs } from '../support/runs.js'
import { anyText } from '../support/any-text.js'

const CURSOR = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'
const COUNTABLE = 'https://haddowg.github.io/json-api/profiles/countable/'

const plain = createNegotiator({ profiles: [CURSOR, COUNTABLE] })
const atomic = createNegotiator({
  profiles: [CURSOR],
  extensions: [ATOMIC_EXTENSION],
  requiredExtension: ATOMIC_EXTENSION,
})

const accepting = (accept?: string) => stubRequest({ headers: accept === undefined ? {} : { accept } })
const sending = (contentType: string | undefined, body = '{}') =>
  stubRequest({ headers: contentType === undefined ? {} : { 'content-type': contentType }, body })
const refusal = async (contentType: string) =>
  (await thrownProblem(() => atomic.checkContentType(sending(contentType))))?.code

describe('Content-Type', () => {
  it.each([
    MEDIA_TYPE,
    'APPLICATION/vnd.API+json',
    `${MEDIA_TYPE};`,
    `${MEDIA_TYPE}; profile="${CURSOR}"`,
    `${MEDIA_TYPE}; profile="https://unknown.example/"`,
    `${MEDIA_TYPE}; ext=""`,
  ])('lets a body through: %s', async (contentType) => {
    expect(await thrownProblem(() => plain.checkContentType(sending(contentType)))).toBeUndefined()
  })

  it.each([
    'application/json',
    'text/plain',
    `${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE}; q=1`,
    `${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}"`,
    `${MEDIA_TYPE}; profile="${CURSOR}"; version=1`,
    `${MEDIA_TYPE}, ${MEDIA_TYPE}`,
    `${MEDIA_TYPE}; ext="unclosed`,
    '*/*',
    'nonsense',
    '',
  ])('refuses a body with 415: %s', async (contentType) => {
    expect(await thrownProblem(() => plain.checkContentType(sending(contentType)))).toMatchObject({
      code: 'MEDIA_TYPE_UNSUPPORTED',
      context: { mediaType: contentType, header: 'Content-Type' },
      source: { header: 'Content-Type' },
    })
  })

  it('is required of a body', async () => {
    const problem = await thrownProblem(() => plain.checkContentType(sending(undefined)))
    expect(problem?.code).toBe('MEDIA_TYPE_UNSUPPORTED')
  })

  it('is ignored without a body', async () => {
    expect(await thrownProblem(() => plain.checkContentType(sending('application/json', '')))).toBeUndefined()
    expect(await thrownProblem(() => plain.checkContentType(sending(undefined, '')))).toBeUndefined()
  })

  it('must name a required extension and may name no other', async () => {
    expect(await refusal(`${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}"`)).toBeUndefined()
    expect(await refusal(MEDIA_TYPE)).toBe('MEDIA_TYPE_UNSUPPORTED')
    expect(await refusal(`${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION} https://other.example/"`)).toBe(
      'MEDIA_TYPE_UNSUPPORTED',
    )
  })
})

describe('Accept', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'text/html',
    'nonsense',
    'application/json; charset=utf-8',
    MEDIA_TYPE,
    `${MEDIA_TYPE}; q=0.1`,
    `${MEDIA_TYPE}; Q=0.001`,
    `${MEDIA_TYPE}; q=nonsense`,
    `${MEDIA_TYPE}; charset=utf-8, ${MEDIA_TYPE}`,
    `${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}", ${MEDIA_TYPE}; q=0.5`,
    `${MEDIA_TYPE}; q=0, */*`,
    `${MEDIA_TYPE}; q=0, application/*;q=0.1`,
    `${MEDIA_TYPE}; q=0, ${MEDIA_TYPE}`,
    '*/*;q=0',
  ])('gets JSON:API: %s', async (accept) => {
    expect(await thrownProblem(() => plain.negotiate(accepting(accept)))).toBeUndefined()
  })

  it.each([
    `${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE}; charset=utf-8, */*`,
    `${MEDIA_TYPE}; charset=utf-8, ${MEDIA_TYPE}; version="1,1"`,
    `${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}"`,
    `${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}", ${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE}; profile="unclosed`,
    `${MEDIA_TYPE}; q=0`,
    `${MEDIA_TYPE}; q=0.000, text/html`,
    `${MEDIA_TYPE}; q=0., */*; q=0`,
  ])('is refused with 406: %s', async (accept) => {
    expect(await thrownProblem(() => plain.negotiate(accepting(accept)))).toMatchObject({
      code: 'MEDIA_TYPE_UNACCEPTABLE',
      context: { mediaType: accept, header: 'Accept' },
      source: { header: 'Accept' },
    })
  })

  it('requests registered profiles, in its own order, each once; unknown ones are dropped', () => {
    const accept = `${MEDIA_TYPE}; profile="${COUNTABLE} https://unknown.example/", ${MEDIA_TYPE}; profile="${CURSOR} ${COUNTABLE}"`
    expect(plain.negotiate(accepting(accept))).toEqual({ profiles: [COUNTABLE, CURSOR], extensions: [] })
  })

  it('requests nothing in an instance with other parameters or with q=0', () => {
    const accept = `${MEDIA_TYPE}; charset=utf-8; profile="${CURSOR}", ${MEDIA_TYPE}; q=0; profile="${COUNTABLE}", ${MEDIA_TYPE}`
    expect(plain.negotiate(accepting(accept))).toEqual({ profiles: [], extensions: [] })
  })

  it('must name a required extension, and gets the applied ones', async () => {
    const clean = `${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}"; profile="${CURSOR}"`
    expect(atomic.negotiate(accepting(clean))).toEqual({ profiles: [CURSOR], extensions: [ATOMIC_EXTENSION] })
    for (const accept of [undefined, '*/*', `${MEDIA_TYPE}, */*;q=0.1`, 'text/html, application/*']) {
      expect(atomic.negotiate(accepting(accept))).toEqual({ profiles: [], extensions: [ATOMIC_EXTENSION] })
    }
    for (const accept of ['*/*;q=0', 'text/*', MEDIA_TYPE]) {
      const problem = await thrownProblem(() => atomic.negotiate(accepting(accept)))
      expect(problem?.code).toBe('MEDIA_TYPE_UNACCEPTABLE')
    }
  })

  it('is read once for the same text, into a frozen value', () => {
    const first = plain.negotiate(accepting(MEDIA_TYPE))
    expect(plain.negotiate(accepting(MEDIA_TYPE))).toBe(first)
    expect(Object.isFrozen(first) && Object.isFrozen(first.profiles) && Object.isFrozen(first.extensions)).toBe(true)
  })

  it('is evicted after many others, and is not cached if it is very long', () => {
    const negotiator = createNegotiator({ profiles: [] })
    const first = negotiator.negotiate(accepting('text/html'))
    for (let index = 0; index < 1000; index += 1) negotiator.negotiate(accepting(`text/x${index}`))
    expect(negotiator.negotiate(accepting('text/html'))).not.toBe(first)
    const long = `text/${'x'.repeat(2000)}`
    expect(negotiator.negotiate(accepting(long))).not.toBe(negotiator.negotiate(accepting(long)))
  })
})

describe('Any header at all', () => {
  const fragments = fc.array(
    fc.constantFrom(MEDIA_TYPE, '*/*', ',', ';', ' ', 'q=0', 'q=1', 'ext=', 'profile=', '"', '\\', CURSOR, 'charset=x'),
  )
  const header = fc.oneof(
    anyText(),
    fragments.map((parts) => parts.join('')),
  )

  it('is accepted or refused by its own code, and nothing else is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(header, async (text) => {
        const accept = await thrownProblem(() => plain.negotiate(accepting(text)))
        const contentType = await thrownProblem(() => plain.checkContentType(sending(text)))
        expect([undefined, 'MEDIA_TYPE_UNACCEPTABLE']).toContain(accept?.code)
        expect([undefined, 'MEDIA_TYPE_UNSUPPORTED']).toContain(contentType?.code)
      }),
      { numRuns: runs(2000) },
    )
  })
})

const outcome = async (negotiator: typeof plain, accept: string) => {
  const negotiated = { value: null as unknown }
  const problem = await thrownProblem(() => {
    negotiated.value = negotiator.negotiate(accepting(accept))
  })
  return problem?.code ?? negotiated.value
}

describe('A cached result', () => {
  it('is the one that a new negotiator returns', async () => {
    const uri = fc.constantFrom(CURSOR, COUNTABLE, ATOMIC_EXTENSION, 'https://unknown.example/')
    const parameter = fc.oneof(
      fc.tuple(fc.constantFrom('profile', 'ext'), uri).map(([name, value]) => `; ${name}="${value}"`),
      fc.constantFrom('; q=0', '; q=0.5', '; charset=utf-8', ''),
    )
    const range = fc.tuple(
      fc.constantFrom(MEDIA_TYPE, '*/*', 'application/*', 'text/html'),
      fc.array(parameter, { maxLength: 2 }),
    )
    const header = fc.array(
      range.map(([name, parameters]) => name + parameters.join('')),
      { maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(header, async (ranges) => {
        const accept = ranges.join(', ')
        const options = { profiles: [CURSOR, COUNTABLE] }
        const fresh = await outcome(createNegotiator(options), accept)
        expect([await outcome(plain, accept), await outcome(plain, accept)]).toEqual([fresh, fresh])
      }),
      { numRuns: runs(300) },
    )
  })
})
