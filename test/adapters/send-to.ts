import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'

export const MEDIA_TYPE = 'application/vnd.api+json'

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | Readable
}

interface Received {
  readonly status: number | undefined
  readonly headers: Headers
  /** Decompressed, if its encoding is gzip. */
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- The tests say what is in it.
  readonly document: any
}

/** Sends a request on its own connection: a host may end a connection some time after a body that it has not read. */
export async function sendTo(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Received> {
  const request = httpRequest(url, {
    method,
    agent: false,
    headers: { ...(body === undefined ? {} : { 'Content-Type': MEDIA_TYPE }), ...headers },
  })
  const responded = once(request, 'response') as Promise<[IncomingMessage]>
  // The host may end the connection of a body that it has refused.
  responded.then(() => request.on('error', () => undefined)).catch(() => undefined)
  if (body instanceof Readable) body.pipe(request)
  else request.end(body)
  const [response] = await responded
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const received = new Headers()
  for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value))
  const bytes = Buffer.concat(chunks)
  const isZipped = received.get('content-encoding') === 'gzip' && bytes.length > 0
  const text = (isZipped ? gunzipSync(bytes) : bytes).toString()
  const isDocument = received.get('content-type')?.startsWith(MEDIA_TYPE) === true && text !== ''
  const document = isDocument ? JSON.parse(text) : undefined
  return { status: response.statusCode, headers: received, text, document }
}

export function album(title: string, notes?: string): string {
  return JSON.stringify({ data: { type: 'albums', attributes: { title, ...(notes === undefined ? {} : { notes }) } } })
}

export function inChunks(text: string): Readable {
  return Readable.from(
    Array.from({ length: Math.ceil(text.length / 16_384) }, (_, index) =>
      text.slice(index * 16_384, (index + 1) * 16_384),
    ),
  )
}
