import { MEDIA_TYPE, VARY_ACCEPT } from '../document/media-type.js'
import type { HttpResponse } from '../http/response.js'

const TITLES = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
} as const

export type EdgeStatus = keyof typeof TITLES

/** The error document for what goes wrong outside the journey: it has no server, no settings and no catalogue to ask. */
export function edgeDocument(status: EdgeStatus, detail?: string): HttpResponse {
  const error = { status: String(status), title: TITLES[status], ...(detail === undefined ? {} : { detail }) }
  return Object.freeze({
    status,
    headers: Object.freeze(['Content-Type', MEDIA_TYPE, ...VARY_ACCEPT]),
    body: JSON.stringify({ errors: [error], jsonapi: { version: '1.1' } }),
  })
}

/** The same as bytes, for a socket on which no HTTP message could be read and that is closed afterwards. */
export function rawEdgeDocument(status: EdgeStatus, detail?: string): string {
  const document = edgeDocument(status, detail)
  const body = String(document.body)
  let head = `HTTP/1.1 ${status} ${TITLES[status]}\r\n`
  for (let index = 0; index < document.headers.length; index += 2) {
    head += `${document.headers[index]}: ${document.headers[index + 1]}\r\n`
  }
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}
