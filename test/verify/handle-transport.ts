import type { HttpRequest, HttpResponse, ServerHandle } from 'ashlar'
import { isBodyStream, wholeBody } from '../../src/core/http/body-stream.js'
import type { ReceivedResponse, SentRequest } from '../../src/tools/verify/exchange/exchange.js'
import type { Transport } from '../../src/tools/verify/exchange/http-transport.js'

/** Changes a request before it reaches the server, or a response before it is returned. */
export interface Change {
  readonly request?: (request: SentRequest) => SentRequest
  readonly response?: (response: ReceivedResponse, request: SentRequest) => ReceivedResponse
}

/** Sends requests to a server in this process, and changes them. `methods` collects the methods of all requests. */
export function handleTransport(
  { handle }: { readonly handle: ServerHandle },
  { request: changeRequest = (sent) => sent, response: changeResponse = (received) => received }: Change = {},
  methods: string[] = [],
): Transport {
  return {
    async send(sent) {
      methods.push(sent.method)
      const { status, headers, body } = await handle(httpRequest(changeRequest(sent)))
      const text = sent.method === 'HEAD' ? '' : await bodyText(body)
      return changeResponse({ status, headers: headersOf(headers), text }, sent)
    },
    close: () => undefined,
  }
}

function httpRequest({ method, url, headers, body }: SentRequest): HttpRequest {
  const { origin } = new URL(url)
  const [path = '', query = ''] = url.slice(origin.length).split('?')
  const bytes = body === null ? null : new TextEncoder().encode(body)
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    method,
    path: path === '' ? '/' : path,
    query,
    origin,
    header: (name) => byName.get(name),
    hasBody: bytes !== null,
    body: async () => bytes,
  }
}

async function bodyText(body: HttpResponse['body']): Promise<string> {
  if (isBodyStream(body)) return new TextDecoder().decode(await wholeBody(body, Number.POSITIVE_INFINITY))
  return body === null ? '' : typeof body === 'string' ? body : new TextDecoder().decode(body)
}

function headersOf(headers: readonly string[]): ReadonlyMap<string, string> {
  const pairs = headers.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? '']] : [],
  )
  return new Map(pairs as [string, string][])
}
