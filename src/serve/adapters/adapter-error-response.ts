import { MEDIA_TYPE, NO_SNIFF, VARY_ACCEPT } from '../../core/document/media-type.js'
import type { HttpResponse } from '../../core/http/response.js'

const TITLES = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  505: 'HTTP Version Not Supported',
} as const

export type AdapterErrorStatus = keyof typeof TITLES

/**
 * Creates an error response for a failure outside the request pipeline, without server, settings and error catalogue.
 */
export function adapterErrorResponse(status: AdapterErrorStatus, detail?: string): HttpResponse {
  const error = { status: String(status), title: TITLES[status], ...(detail === undefined ? {} : { detail }) }
  return Object.freeze({
    status,
    headers: Object.freeze(['Content-Type', MEDIA_TYPE, ...VARY_ACCEPT, ...NO_SNIFF]),
    body: JSON.stringify({ errors: [error], jsonapi: { version: '1.1' } }),
  })
}

/**
 * Creates the same response as HTTP text, for a socket without an HTTP response object. The socket is closed
 * afterwards.
 */
export function rawAdapterErrorResponse(status: AdapterErrorStatus, detail?: string): string {
  const document = adapterErrorResponse(status, detail)
  const body = document.body as string
  let head = `HTTP/1.1 ${status} ${TITLES[status]}\r\n`
  for (let index = 0; index < document.headers.length; index += 2) {
    head += `${document.headers[index]}: ${document.headers[index + 1]}\r\n`
  }
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}
