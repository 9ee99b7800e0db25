import { expect, test } from 'vitest'
import { exchangeOf } from '../../src/tools/verify/exchange/exchange.js'
import { createLedger } from '../../src/tools/verify/ledger/ledger.js'
import { junitReport } from '../../src/tools/verify/report/junit-report.js'
import { createReport, type Report } from '../../src/tools/verify/report/report.js'
import { textReport } from '../../src/tools/verify/report/text-report.js'
import { parseXml } from './xml.js'

const hostile = `<a href="x">&\u001B[31m'\u0000\uD800</a>`

/** A report of a server whose texts could be taken for something else. */
function hostileReport(): Report {
  const ledger = createLedger(new Set(['additional-members', 'http-head']))
  const request = { method: 'GET', url: 'http://catalogue.test/', headers: {}, body: hostile } as const
  const exchange = exchangeOf(request, { status: 200, headers: new Map(), text: '' })
  for (const at of [0, 1, 2]) {
    ledger.violate('additional-members', { problem: `Another member ${hostile}.`, pointer: `/data/${at}/x`, exchange })
  }
  ledger.violate('http-head', { problem: hostile, exchange: null })
  ledger.note(hostile)
  return createReport({
    url: 'http://catalogue.test/',
    version: hostile,
    writes: false,
    strict: false,
    requests: 1,
    types: [hostile],
    openapi: null,
    ledger,
    secrets: new Set(),
    leftBehind: [],
  })
}

test('violations of one kind are one finding, with their number and the first request', () => {
  const [statement] = hostileReport().statements
  expect(statement).toMatchObject({ id: 'additional-members', outcome: 'failed', observations: 3 })
  expect(statement?.findings).toMatchObject([{ times: 3, pointer: '/data/0/x', severity: 'failure' }])
})

test('the text has no control characters of a server', () => {
  const lines = textReport(hostileReport(), { all: true, paint: (_style, text) => text })
  expect(lines.join('').match(/\p{Cc}/gu)).toBe(null)
  expect(lines.join('\n')).toContain(String.raw`\u001b[31m`)
})

test('the XML is well-formed, whatever a server sends', () => {
  const suites = parseXml(junitReport(hostileReport()))
  const [failed, warned] = suites.children.flatMap(({ children }) => children)
  expect(failed?.children[0]).toMatchObject({ name: 'failure', attributes: { type: 'MUST' } })
  expect(failed?.children[0]?.attributes['message']).toBe(`Another member <a href="x">&\uFFFD[31m'\uFFFD\uFFFD</a>.`)
  expect(warned?.children[0]?.name).toBe('system-out')
  expect(suites.attributes).toMatchObject({ tests: '2', failures: '1' })
})

test('a strict run counts a warning as a failure', () => {
  const ledger = createLedger(new Set(['http-head']))
  ledger.violate('http-head', { problem: 'x', exchange: null })
  const facts = {
    url: 'x',
    version: null,
    writes: false,
    requests: 0,
    types: [],
    openapi: null,
    secrets: new Set<string>(),
  }
  const outcomes = [false, true].map((strict) => createReport({ ...facts, strict, ledger, leftBehind: [] }).counts)
  expect(outcomes).toEqual([
    { passed: 0, failed: 0, warned: 1, notSeen: 0 },
    { passed: 0, failed: 1, warned: 0, notSeen: 0 },
  ])
})
