import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../src/tools/cli/run-cli.js'
import type { Report } from '../../src/tools/verify/report/report.js'
import { ashlar } from '../support/cli.js'
import { PlainServer } from './plain-server.js'
import { parseXml } from './xml.js'

let server: PlainServer
let url: string
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ashlar-verify-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(async () => {
  server = new PlainServer()
  url = await server.listen()
})
afterEach(() => server.close())

/** A statement that the server violates, one that it holds, and one that is not seen. */
const some = ['--only', 'fetch-responses-404', '--only', 'http-head', '--only', 'create-support'] as const

/** A related link is broken. */
function breakLink(): void {
  server.faults.set('GET /articles/1/author', 404)
}

describe('the exit code', () => {
  test('is 0 without failures, and the report lists what was checked', async () => {
    const { code, out, err } = await ashlar('verify', `${url}/articles`, ...some)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.replaceAll(url, 'http://host').replaceAll(/\d+ requests/g, 'N requests')).toBe(
      [
        'http://host/articles declares no version of JSON:API.',
        '2 types: articles, people. N requests, read-only.',
        'No OpenAPI document was found.',
        '',
        'Fetching data: 2 passed',
        '',
        'Creating resources: 1 not seen',
        '',
        'Passed: 2 statements passed, 0 failed, 0 with warnings, 1 not seen.',
      ].join('\n'),
    )
  })

  test('is 1 with a failure, with the response and a command that repeats the request', async () => {
    breakLink()
    const { code, out } = await ashlar('verify', `${url}/articles`, '--only', 'resource-related-resource-link')
    expect(code).toBe(1)
    expect(out).toContain(
      '  FAIL  resource-related-resource-link [MUST] A related resource link MUST reference a valid URL,',
    )
    expect(out).toContain("        - GET /articles/1/author responded 404, although it is the link 'related' of")
    expect(out).toContain(`          curl -g -i '${url}/articles/1/author' -H 'Accept: application/vnd.api+json'`)
    expect(out).toMatch(/^Failed: 0 statements passed, 1 failed, /m)
  })

  test('is 1 with a warning and --strict, else 0', async () => {
    server.faults.set('HEAD /articles', 405)
    const args = ['verify', `${url}/articles`, '--only', 'http-head'] as const
    const lenient = await ashlar(...args)
    expect(lenient.code).toBe(0)
    expect(lenient.out).toContain('  warn  http-head [SHOULD] ')
    const strict = await ashlar(...args, '--strict')
    expect(strict.code).toBe(1)
    expect(strict.out).toContain('  FAIL  http-head [SHOULD] ')
  })

  test.each([
    [
      'no server',
      () => 'http://127.0.0.1:1/',
      /^No server responds at http:\/\/127\.0\.0\.1:1\/: connect ECONNREFUSED/,
    ],
    [
      'nothing of JSON:API',
      () => `${url}/nowhere`,
      /^No resources were found at .*\/nowhere\. GET \/nowhere responded 404\. Name the address/,
    ],
  ])('is 2 with %s', async (_name, address, message) => {
    const { code, err, out } = await ashlar('verify', address())
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message)
    const json = await ashlar('verify', address(), '--json')
    expect(JSON.parse(json.out)).toEqual({ error: expect.stringMatching(message) })
  })

  test('is 2 without credentials, and the message explains how to pass them', async () => {
    server.authorization = 'Bearer secret'
    const { code, err } = await ashlar('verify', `${url}/articles`)
    expect({ code, err }).toEqual({
      code: 2,
      err: `No resources were found at ${url}/articles. GET /articles responded 401, which is no JSON:API document. Pass credentials with --token or --header.`,
    })
  })
})

describe('arguments', () => {
  test.each([
    [
      ['127.0.0.1:3000'],
      "The URL is not an HTTP URL: '127.0.0.1:3000'. Write it with its scheme: http://127.0.0.1:3000.",
    ],
    [
      ['http://x', '--only', 'fetch-response-404'],
      "'--only' is a statement or a chapter, not 'fetch-response-404'. Did you mean 'fetch-responses-404'?",
    ],
    [['http://x', '--skip', 'nothing'], "'--skip' is a statement or a chapter, not 'nothing'."],
    [['http://x', '--max-requests', '0'], "'--max-requests' is a whole number of at least 1, not '0'."],
    [['http://x', '--timeout', 'soon'], "'--timeout' is a whole number of at least 1, not 'soon'."],
    [
      ['http://x', '--header', 'nothing'],
      "'--header' is a name and a value: --header 'X-Api-Key: abc', not 'nothing'.",
    ],
    [['http://x', '--format', 'xml'], "'--format' is one of text, json, junit, not 'xml'."],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await ashlar('verify', ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  test('--only and --skip take statements and chapters', async () => {
    const { out } = await ashlar('verify', `${url}/articles`, '--only', 'errors', '--skip', 'error-general', '--json')
    const { statements } = JSON.parse(out) as Report
    expect(statements.map(({ id }) => id)).toContain('error-object-key')
    expect(statements.every(({ chapter }) => chapter === 'errors')).toBe(true)
    expect(statements.map(({ id }) => id)).not.toContain('error-general')
  })

  test('--token and --header are sent with every request, and never printed', async () => {
    server.authorization = 'Bearer secret'
    breakLink()
    const args = [`${url}/articles`, '--only', 'resource-related-resource-link']
    const { code, out } = await ashlar('verify', ...args, '--token', 'secret', '--header', 'X-Key: hidden')
    expect(code).toBe(1)
    expect(out).toContain(`-H 'X-Key: …' -H 'Authorization: …'`)
    expect(out).not.toMatch(/secret|hidden/)
  })

  test('credentials are not sent to the server of an OpenAPI document, if it is another one', async () => {
    const other = new PlainServer()
    const address = await other.listen()
    onTestFinished(() => other.close())
    other.authorization = 'Bearer secret'
    const args = [`${url}/articles`, '--token', 'secret', '--openapi', `${address}/articles`]
    // Without the token, the other server responds 401.
    expect((await ashlar('verify', ...args)).err).toBe(`'${address}/articles' is no OpenAPI document in JSON.`)
    expect(other.refused).toBe(1)
  })

  test('--path adds a URL to start at', async () => {
    const { out } = await ashlar('verify', url, '--path', 'people', '--path', '/articles', ...some, '--json')
    expect((JSON.parse(out) as Report).types).toEqual(['articles', 'people'])
  })

  test('--base-uri marks links as links to this server', async () => {
    const { code, err } = await ashlar('verify', `${url}/articles`, '--base-uri', 'no uri')
    expect(code).toBe(2)
    expect(err).toContain("'--base-uri' is not an HTTP URL: 'no uri'.")
  })
})

describe('the report', () => {
  test('as JSON has every statement, by --json and by --format json', async () => {
    const { out } = await ashlar('verify', `${url}/articles`, '--json')
    const report = JSON.parse(out) as Report
    expect(Object.keys(report)).toEqual([
      'url',
      'version',
      'writes',
      'strict',
      'requests',
      'types',
      'openapi',
      'counts',
      'statements',
      'notes',
      'leftBehind',
    ])
    expect(report.statements.find(({ id }) => id === 'fetch-responses-404')).toEqual({
      id: 'fetch-responses-404',
      chapter: 'reading',
      level: 'MUST',
      text: expect.stringContaining('404 Not Found'),
      outcome: 'passed',
      observations: expect.any(Number) as number,
      reason: null,
      findings: [],
    })
    const { passed, failed, warned, notSeen } = report.counts
    expect(passed + failed + warned + notSeen).toBe(report.statements.length)
    const formatted = await ashlar('verify', `${url}/articles`, '--format', 'json')
    expect(Object.keys(JSON.parse(formatted.out) as Report)).toEqual(Object.keys(report))
  })

  test('--all lists statements that hold and that were not checked, with the reason', async () => {
    const { out } = await ashlar('verify', `${url}/articles`, ...some, '--all')
    expect(out).toMatch(/^ {2}pass {2}fetch-responses-404 \[MUST\] .* \(seen \d+ times\)$/m)
    expect(out).toMatch(/^ {2}- {5}create-support \[MAY\] .*\n {10}It permits something, and forbids nothing\.$/m)
  })

  test('as JUnit is a file that CI servers read; the text is printed', async () => {
    breakLink()
    const file = join(folder, 'verify.xml')
    const only = [...some, '--only', 'resource-related-resource-link']
    const { code, out } = await ashlar('verify', `${url}/articles`, ...only, '--format', 'junit', '--output', file)
    expect(code).toBe(1)
    expect(out).toMatch(/^Failed: /m)
    const suites = parseXml(readFileSync(file, 'utf8'))
    expect(suites).toMatchObject({ name: 'testsuites', attributes: { tests: '4', failures: '1', errors: '0' } })
    const cases = suites.children.flatMap(({ name, children }) => {
      expect(name).toBe('testsuite')
      return children
    })
    expect(
      cases.map(({ attributes, children }) => [attributes['classname'], attributes['name'], children[0]?.name]),
    ).toEqual([
      ['jsonapi.structure', 'resource-related-resource-link', 'failure'],
      ['jsonapi.reading', 'fetch-responses-404', undefined],
      ['jsonapi.reading', 'http-head', undefined],
      ['jsonapi.creating', 'create-support', 'skipped'],
    ])
    const [failure] = cases[0]?.children ?? []
    expect(failure?.attributes['message']).toMatch(/^GET \/articles\/1\/author responded/)
    expect(failure?.text).toContain("curl -g -i 'http")
    const printed = await ashlar('verify', `${url}/articles`, ...only, '--format', 'junit')
    expect(parseXml(printed.out).attributes).toEqual(suites.attributes)
  })

  test('has colours and progress only if the output supports them', async () => {
    const [lines, shown]: [string[], string[]] = [[], []]
    const output = { out: (text: string) => lines.push(text), err: () => undefined, hasColors: true }
    const progress = (text: string | (() => string)) => () => shown.push(typeof text === 'string' ? text : text())
    await runCli(['verify', `${url}/articles`, ...some], { ...output, progress })
    expect(lines.at(-1)?.startsWith('\u001B[32mPassed\u001B[39m: ')).toBe(true)
    expect(shown).toEqual([expect.stringMatching(/^Checking: \d+ of at most 500 requests$/)])
    lines.length = 0
    await runCli(['verify', `${url}/articles`, ...some], { ...output, hasColors: false })
    expect(lines.join('\n')).not.toContain('\u001B')
  })
})
