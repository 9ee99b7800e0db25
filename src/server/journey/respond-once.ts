import { createHash } from 'node:crypto'
import { extensionOf } from '../assembly/declared/extension.js'
import type { Service } from '../assembly/service.js'
import type { KeyedResponse } from '../../stores/common/idempotency-store.js'
import { fail } from '../../core/errors/json-api-error.js'
import { isBodyStream, wholeBody } from '../../core/http/body-stream.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { ActionCall } from '../../serve/operation/action-call.js'
import type { ExtensionCall } from '../../serve/operation/extension-call.js'
import type { Operation } from '../../serve/operation/operation.js'
import { IDEMPOTENCY_KEY, idempotencyKey, isKeyedMethod } from '../../serve/parse/idempotency-key.js'
import { OperationContext } from '../../declare/resource/request/memoize-in-request.js'
import { canonicalJson } from '../../serve/validation/canonical-json.js'

type Invocation = Operation | ActionCall | ExtensionCall

type Respond = () => Promise<HttpResponse>

/** Returns whether a request has an `Idempotency-Key` that is not ignored. */
export function hasKey(request: HttpRequest): boolean {
  return isKeyedMethod(request.method) && request.header('idempotency-key') !== undefined
}

/**
 * Responds to a request with an `Idempotency-Key` once: a repeated request gets the stored response. The response is stored in the
 * transaction of the write, so that both are committed or none. An error is not stored: its write is rolled back, and a repeated
 * request runs again.
 */
export async function respondOnce(
  service: Service,
  { request, invocation }: { readonly request: HttpRequest; readonly invocation: Invocation },
  respond: Respond,
): Promise<HttpResponse> {
  const key = idempotencyKey(request)
  const { server, caller } = invocation.context
  const idempotency = service.idempotency.get(server) ?? null
  const store = idempotency?.storeOf(writtenType(service, invocation)) ?? null
  if (key === null || idempotency === null || store === null) return respond()
  const sent = {
    caller: hashOf(JSON.stringify([server, idempotency.callerKey(caller)])),
    key,
    request: `${request.method} ${request.path}${request.query === '' ? '' : `?${request.query}`}`,
    bodyHash: bodyHash(invocation),
  }
  const context = contextOf(invocation, store.type)
  const { running } = idempotency
  const { allowances } = store
  const runningKey = `${sent.caller} ${key}`
  if (running.has(runningKey)) return inUse()
  running.add(runningKey)
  try {
    return await store.inTransaction<HttpResponse>(context, async (transaction, rollBack) => {
      const now = Date.now()
      const write = { transaction, context, now }
      const taken = allowances.take(sent.caller, now)
      const [stored, usage] = await Promise.all([
        store.responses.find(sent, write),
        taken === 'count' ? store.responses.usage(sent.caller, allowances.maxKeys, write) : null,
      ])
      if (stored === 'running') return inUse()
      if (stored !== null) return replayed(stored, sent)
      const refusedUntil = usage === null ? taken : allowances.grant(sent.caller, usage, now)
      if (typeof refusedUntil === 'number') return tooMany(allowances.maxKeys, refusedUntil - now)
      const response = await respond()
      if (response.status >= 400) return rollBack(response)
      const { status, headers } = response
      const body = await bytesOf(response.body, service.documentBytes)
      const expiresAt = now + idempotency.expiresAfter
      const isSaved = await store.responses.save({ ...sent, status, headers, body, expiresAt }, write)
      return isSaved ? { status, headers, body } : inUse()
    })
  } finally {
    running.delete(runningKey)
  }
}

type SentRequest = Pick<KeyedResponse, 'request' | 'bodyHash'>

/** Returns the stored response. Fails with 422 if it belongs to another request. */
function replayed({ request, bodyHash: hash, status, headers, body }: KeyedResponse, sent: SentRequest): HttpResponse {
  const header = IDEMPOTENCY_KEY
  const difference = request !== sent.request ? 'method, path or query' : 'body'
  if (request !== sent.request || hash !== sent.bodyHash) {
    fail('IDEMPOTENCY_KEY_REUSED', { header, difference }, { source: { header } })
  }
  return { status, headers: [...headers, 'Idempotency-Replayed', 'true'], body }
}

function inUse(): never {
  const header = IDEMPOTENCY_KEY
  return fail('IDEMPOTENCY_KEY_IN_USE', { header }, { source: { header }, headers: ['Retry-After', '1'] })
}

/** A key is not removed to make room: a repeated request would write again. */
function tooMany(limit: number, milliseconds: number): never {
  const header = IDEMPOTENCY_KEY
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  const headers = ['Retry-After', String(seconds)]
  return fail('IDEMPOTENCY_KEYS_EXCEEDED', { header, limit, seconds }, { source: { header }, headers })
}

function writtenType({ extensions }: Service, invocation: Invocation): string | null {
  if (invocation.kind !== 'Extension') return invocation.type
  return extensionOf(extensions, { uri: invocation.extension }).writtenType(invocation.document)
}

/** A batch has no operation: its transaction belongs to the type whose store has the response. */
function contextOf({ kind, context }: Invocation, type: string): OperationContext | Operation['context'] {
  return kind === 'Extension' ? new OperationContext(type, 'CustomAction', context) : context
}

/** Documents are compared by their values: white space and the order of members make no difference. */
function bodyHash(invocation: Invocation): string {
  if ('body' in invocation && invocation.body !== undefined) return hashOf(invocation.body)
  const document = 'document' in invocation ? invocation.document : undefined
  return hashOf(document === undefined ? '' : canonicalJson(document))
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A stored response needs all of its body. */
function bytesOf(body: HttpResponse['body'], limit: number): Uint8Array | null | Promise<Uint8Array> {
  if (isBodyStream(body)) return wholeBody(body, limit)
  return typeof body === 'string' ? Buffer.from(body) : body
}
