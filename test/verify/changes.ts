import { isJsonObject, type JsonObject } from '../../src/tools/format/inspection/document-inspection.js'
import type { ReceivedResponse, SentRequest } from '../../src/tools/verify/exchange/exchange.js'
import type { Change } from './handle-transport.js'

/** Whether a change is about a request: a text is the method and the beginning of the path, such as `GET /albums`. */
export type When = string | RegExp | ((request: SentRequest) => boolean)

function isMet(when: When, request: SentRequest): boolean {
  if (typeof when === 'function') return when(request)
  const line = `${request.method} ${decodeURIComponent(request.url.slice(new URL(request.url).origin.length))}`
  return typeof when === 'string' ? line === when : when.test(line)
}

/** Responds with another status. */
export function status(when: When, changed: number): Change {
  return { response: (response, request) => (isMet(when, request) ? { ...response, status: changed } : response) }
}

/** Responds without a body, or with another one. */
export function body(when: When, changed: unknown, code?: number): Change {
  return {
    response: (response, request) =>
      isMet(when, request)
        ? { ...response, status: code ?? response.status, text: changed === null ? '' : JSON.stringify(changed) }
        : response,
  }
}

/** Responds with another header; `null` removes it. */
export function header(when: When, name: string, value: string | null): Change {
  return {
    response(response, request) {
      if (!isMet(when, request)) return response
      const headers = new Map(response.headers)
      if (value === null) headers.delete(name.toLowerCase())
      else headers.set(name.toLowerCase(), value)
      return { ...response, headers }
    },
  }
}

/** A document in the hands of a change. */
// oxlint-disable-next-line typescript/no-explicit-any -- Changes break documents in ways that no type allows.
export type Loose = any

/** Changes the documents of successful responses. */
export function document(when: When, change: (document: Loose, request: SentRequest) => void): Change {
  return {
    response(response, request) {
      if (!isMet(when, request) || response.status >= 300 || response.text === '') return response
      const changed: Loose = JSON.parse(response.text)
      change(changed, request)
      return { ...response, text: JSON.stringify(changed) }
    },
  }
}

/** Changes the text of all responses. */
export function text(from: RegExp | string, to: string): Change {
  return { response: (response: ReceivedResponse) => ({ ...response, text: response.text.replaceAll(from, to) }) }
}

/** The server does not see a query parameter. */
export function withoutParameter(name: RegExp, path: RegExp = /^/): Change {
  return {
    request(request) {
      const url = new URL(request.url)
      if (!path.test(url.pathname)) return request
      const remaining = [...url.searchParams].filter(([each, value]) => !name.test(`${each}=${value}`))
      const query = new URLSearchParams(remaining).toString()
      return { ...request, url: `${url.origin}${url.pathname}${query === '' ? '' : `?${query}`}` }
    },
  }
}

/** The server sees another header. */
export function changedHeader(name: string, value: (sent: string) => string): Change {
  return {
    request: (request) => ({
      ...request,
      headers: { ...request.headers, [name]: value(request.headers[name] ?? '') },
    }),
  }
}

/** The server sees another document. */
export function changedDocument(when: When, change: (document: Loose) => JsonObject): Change {
  return {
    request(request) {
      if (!isMet(when, request) || request.body === null) return request
      try {
        const sent = JSON.parse(request.body) as unknown
        return isJsonObject(sent) ? { ...request, body: JSON.stringify(change(structuredClone(sent))) } : request
      } catch {
        return request
      }
    },
  }
}

/** The server sees a read instead of a write, and the response reports success. */
export function undone(when: When, code = 204): Change {
  return {
    request: (request) => (isMet(when, request) ? { ...request, method: 'GET', body: null } : request),
    response: (response, request) => (isMet(when, request) ? { ...response, status: code, text: '' } : response),
  }
}

/** The same request has another response from the second time on. */
export function afterFirst(when: When, code: number): Change {
  const seen = new Set<string>()
  return {
    response(response, request) {
      if (!isMet(when, request) || response.status >= 300) return response
      const key = `${request.method} ${request.url} ${request.body}`
      if (seen.has(key)) return { ...response, status: code, text: '{"errors":[{"status":"409","title":"No"}]}' }
      seen.add(key)
      return response
    },
  }
}

/** Several changes together. */
export function all(...changes: readonly Change[]): Change {
  return {
    request: (sent) => changes.reduce((request, change) => change.request?.(request) ?? request, sent),
    response: (received, request) =>
      changes.reduce((response, change) => change.response?.(response, request) ?? response, received),
  }
}

/** Whether the body of a request has a text. */
export function sends(part: string, method?: string): When {
  return (request) => (method === undefined || request.method === method) && (request.body ?? '').includes(part)
}
