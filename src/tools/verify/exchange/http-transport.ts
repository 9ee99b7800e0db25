import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { ReceivedResponse, SentRequest } from './exchange.js'

/** Sends a request, and resolves to the response. Rejects if there is none. */
export interface Transport {
  send(request: SentRequest, timeout: number): Promise<ReceivedResponse>
  close(): void
}

/** The maximum length of a body in bytes. A longer response is not read. */
const longestBody = 32 * 1024 * 1024

/**
 * Creates a transport over HTTP and HTTPS. It adds no headers, unlike `fetch`, so that the commands of the
 * report send the same requests.
 */
export function httpTransport(connections: number): Transport {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: connections }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: connections }),
  }
  return {
    send: (request, timeout) => sendOnce(request, timeout, agents),
    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

interface Agents {
  readonly 'http:': HttpAgent
  readonly 'https:': HttpsAgent
}

function sendOnce(sent: SentRequest, timeout: number, agents: Agents): Promise<ReceivedResponse> {
  const { method, headers, body } = sent
  const url = new URL(sent.url)
  const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const options = {
    method,
    // The path exactly as it is written.
    path: sent.url.slice(url.origin.length) || '/',
    headers: { ...headers, ...length },
    signal: AbortSignal.timeout(timeout),
  }
  return new Promise((resolve, reject) => {
    const receive = (response: IncomingMessage): void => {
      received(response).then(resolve, reject)
    }
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: agents['https:'] }, receive)
        : httpRequest(url, { ...options, agent: agents['http:'] }, receive)
    request.on('error', (error) => {
      reject(error.name === 'AbortError' ? new Error(`no response within ${timeout / 1000} s`) : error)
    })
    request.end(body ?? undefined)
  })
}

async function received(response: IncomingMessage): Promise<ReceivedResponse> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) {
      response.destroy()
      throw new Error(`the body is longer than ${longestBody} bytes`)
    }
    chunks.push(chunk)
  }
  const headers = new Map(
    Object.entries(response.headersDistinct).map(([name, values = []]) => [name.toLowerCase(), values.join(', ')]),
  )
  return { status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString('utf8') }
}
