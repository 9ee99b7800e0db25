import { describe, expect, test } from 'vitest'
import type { ReceivedResponse, SentRequest } from '../../src/tools/verify/exchange/exchange.js'
import { createSender, type SenderSettings, ServerUnreachable } from '../../src/tools/verify/exchange/sender.js'

type Respond = (request: SentRequest, count: number) => Promise<ReceivedResponse>

const ok: ReceivedResponse = { status: 200, headers: new Map(), text: '' }

function senderOf(respond: Respond, settings: Partial<SenderSettings> = {}) {
  let count = 0
  const sender = createSender({
    transport: {
      send(request) {
        count += 1
        return respond(request, count)
      },
      close: () => undefined,
    },
    headers: {},
    deadline: Date.now() + 3_600_000,
    connections: 4,
    requestTimeout: 1000,
    onExchange: () => undefined,
    ...settings,
  })
  sender.allow(100)
  return sender
}

const url = 'http://catalogue.test/albums'

test('no more requests than connections are sent concurrently', async () => {
  let [now, most] = [0, 0]
  const sender = senderOf(async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    return ok
  })
  await Promise.all(Array.from({ length: 20 }, () => sender.send(url)))
  expect([most, sender.sent]).toEqual([4, 20])
})

test('a server that responds with Retry-After gets retries, three times in all', async () => {
  const busy: ReceivedResponse = { ...ok, status: 429, headers: new Map([['retry-after', '0']]) }
  const patient = senderOf(async (_request, count) => (count < 3 ? busy : ok))
  expect((await patient.send(url))?.response.status).toBe(200)
  expect(patient.sent).toBe(3)
  const endless = senderOf(async () => busy)
  expect((await endless.send(url))?.response.status).toBe(429)
  expect(endless.sent).toBe(3)
  const later = senderOf(async () => ({ ...busy, headers: new Map([['retry-after', '3600']]) }))
  await later.send(url)
  expect(later.sent).toBe(1)
})

describe('limits', () => {
  test('stop requests, and are named', async () => {
    const sender = senderOf(async () => ok)
    sender.allow(1)
    await sender.send(url)
    expect([await sender.send(url), sender.reached, sender.left]).toEqual([null, 'requests', 0])
    const late = senderOf(async () => ok, { deadline: 0 })
    expect([await late.send(url), late.reached, late.sent]).toEqual([null, 'time', 0])
    // The resources that the run has created are removed all the same.
    expect((await late.send(url, { method: 'DELETE', beyondLimits: true }))?.response.status).toBe(200)
  })
})

test('a request without a response is an exchange with the reason', async () => {
  const sender = senderOf(() => Promise.reject(new Error('socket hang up')))
  expect(await sender.send(url)).toMatchObject({ failure: 'socket hang up', response: { status: 0 } })
})

test('a server that becomes unreachable ends the run, with the last request that it responded to', async () => {
  const sender = senderOf((_request, count) => {
    return count === 1
      ? Promise.resolve(ok)
      : Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
  })
  await sender.send(url)
  await sender.send(url)
  await sender.send(url)
  await expect(sender.send(url)).rejects.toThrow(ServerUnreachable)
  await expect(sender.send(url)).rejects.toThrow(`The last request that it responded to: GET ${url}.`)
})

test('headers of the run and of a request replace each other, whatever their case', async () => {
  const seen: SentRequest[] = []
  const sender = senderOf(
    async (request) => {
      seen.push(request)
      return ok
    },
    { headers: { accept: 'text/html', 'X-Key': 'a' } },
  )
  await sender.send(url)
  await sender.send(url, { headers: { ACCEPT: null, 'x-key': 'b' }, document: {} })
  await sender.send(url, { isAnonymous: true })
  expect(seen.map(({ headers, body }) => [headers, body])).toEqual([
    [{ accept: 'text/html', 'X-Key': 'a' }, null],
    [{ 'Content-Type': 'application/vnd.api+json', 'x-key': 'b' }, '{}'],
    [{ Accept: 'application/vnd.api+json' }, null],
  ])
})
