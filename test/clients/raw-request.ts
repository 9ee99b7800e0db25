import { type Agent, type IncomingMessage, request } from 'node:http'
import type { TestResponse } from 'ashlar/testing'
import { testResponse } from '../../src/tools/testing/test-response.js'

export const MEDIA_TYPE = 'application/vnd.api+json'

export interface RawRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is; with a Content-Length unless the headers have another framing. */
  readonly body?: string
  /** Whose connections it takes; by default each request opens one. */
  readonly agent?: Agent
}

/** Sends exactly this, with no other headers than Host and Connection, and reads the response. */
export function send(port: number, line: string, { headers, body, agent }: RawRequest = {}): Promise<TestResponse> {
  const [method = '', path = ''] = line.split(' ')
  const length = body === undefined || headers?.['Transfer-Encoding'] !== undefined ? {} : lengthOf(body)
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers: { ...length, ...headers }, agent })
    outgoing.once('error', reject)
    outgoing.once('response', (incoming) => void reply(incoming, method).then(resolve, reject))
    outgoing.end(body)
  })
}

function lengthOf(body: string): Readonly<Record<string, string>> {
  return { 'Content-Length': String(Buffer.byteLength(body)) }
}

async function reply(incoming: IncomingMessage, method: string): Promise<TestResponse> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const status = incoming.statusCode ?? 0
  return testResponse({ status, headers: incoming.rawHeaders, body: body.length === 0 ? null : body }, method)
}
