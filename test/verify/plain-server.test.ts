import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Report } from '../../src/tools/verify/report/report.js'
import { ashlar } from '../support/cli.js'
import { PlainServer } from './plain-server.js'

let server: PlainServer
let url: string

beforeEach(async () => {
  server = new PlainServer()
  url = await server.listen()
})

afterEach(() => server.close())

async function report(...args: readonly string[]): Promise<Report> {
  return JSON.parse((await ashlar('verify', ...args, '--json')).out) as Report
}

describe('a server of JSON:API 1.0 that lacks all that it may lack', () => {
  test('has no failure and no warning', async () => {
    const before = [...server.articles]
    const { statements, counts, version, leftBehind } = await report(`${url}/articles`, '--write')
    const found = statements.filter(({ findings }) => findings.length > 0)
    expect(found.map(({ id, findings }) => [id, findings[0]?.problem])).toEqual([])
    expect(counts.passed).toBeGreaterThan(70)
    expect(version).toBe(null)
    expect(leftBehind).toEqual([])
    expect([...server.articles]).toEqual(before)
  })

  test('is not checked for statements of 1.1 only', async () => {
    const { statements } = await report(
      `${url}/articles`,
      '--only',
      'error-object-status',
      '--only',
      'profile-unrecognized',
    )
    expect(statements.map(({ id, outcome, reason }) => ({ id, outcome, reason }))).toEqual([
      { id: 'profile-unrecognized', outcome: 'not seen', reason: 'The server does not declare version 1.1.' },
      { id: 'error-object-status', outcome: 'not seen', reason: 'The server does not declare version 1.1.' },
    ])
  })

  test('may send clients to another resource, as the result of a job', async () => {
    server.faults.set('GET /articles/1', 303)
    const { statements } = await report(
      `${url}/articles`,
      '--only',
      'resource-link-response',
      '--only',
      'fetch-url-support',
    )
    expect(statements.map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  })

  test('is not checked at URLs that it refuses, or has no time for', async () => {
    server.faults.set('GET /articles/1', 403)
    server.faults.set('GET /articles/2', 503)
    const { statements, notes } = await report(`${url}/articles`, '--only', 'resource-link-response')
    expect(statements.map(({ outcome }) => outcome)).toEqual(['passed'])
    expect(notes).toEqual([
      expect.stringContaining('Some addresses responded 401 or 403'),
      'GET /articles/2 responded 503: this response was not judged.',
    ])
  })

  test('is read from a collection on: its resources link to the other one', async () => {
    expect((await report(`${url}/articles`)).types).toEqual(['articles', 'people'])
  })
})
