import { contentType, VARY_ACCEPT } from '../document/media-type.js'
import type { ErrorAnswer } from '../errors/checked-answer.js'
import { checkedAnswer, checkHeaders } from '../errors/checked-answer.js'
import type { HttpResponse } from '../http/response.js'
import type { Identifier, Resources, ResponseValue } from '../operation/response-value.js'
import { select } from '../resource/reading/selection.js'
import type { Row } from '../rows/row-set.js'
import { rowObject } from '../rows/row-set.js'
import { json } from './json.js'
import type { ResourceWriter } from './resource-writer.js'
import { resourceUrl, resourceWriter, serializerWriter } from './resource-writer.js'

/** What a document says besides the handler's answer. */
export interface Rendering {
  /** What stands before `/{uriType}`: the base URI and the server's prefix. */
  readonly base: string
  /** The request's own address, `null` when no request was made. */
  readonly self: string | null
  /** The `jsonapi` object's version, empty to leave it out, and its meta. */
  readonly version: string
  readonly jsonapiMeta: Readonly<Record<string, unknown>> | null
  readonly profiles: readonly string[]
  readonly extensions: readonly string[]
}

/** The answer as text. Every document is one string, written once. */
export function renderResponse(value: ResponseValue, rendering: Rendering): HttpResponse {
  switch (value.kind) {
    case 'data':
    case 'related': {
      const write = writerFor(value.resources)
      const located = value.kind === 'data' && value.location !== null ? [value.location] : []
      const headers = located.flatMap((row) => ['Location', urlOf(value.resources, row, rendering)])
      const data = `"data":${primaryData(value.resources, write, rendering)}`
      return documentResponse(value, [...headers, ...value.headers], data, rendering)
    }
    case 'identifier':
      return documentResponse(value, value.headers, `"data":${linkage(value.data)}`, rendering)
    case 'meta':
      return documentResponse({ ...value, meta: null }, value.headers, `"meta":${json(value.meta ?? {})}`, rendering)
    case 'noContent':
      return { status: value.status, headers: [...VARY_ACCEPT, ...checkedHeaders(value.headers)], body: null }
    case 'error':
      return renderError(checkedAnswer(value.answer), rendering)
  }
}

/** An error document has no `self`: it is about the request, not at its address. */
export function renderError(answer: ErrorAnswer, rendering: Rendering): HttpResponse {
  return {
    status: answer.status,
    headers: [...documentHeaders(rendering), ...answer.headers],
    body: `{"errors":${json(answer.errors)}${jsonapiMember(rendering)}}`,
  }
}

type WithExtras = Extract<ResponseValue, { readonly links: unknown }>

function documentResponse(
  { status, meta, links }: Pick<WithExtras, 'status' | 'meta' | 'links'>,
  headers: readonly string[],
  primary: string,
  rendering: Rendering,
): HttpResponse {
  const self = rendering.self === null ? {} : { self: rendering.self }
  const allLinks = { ...self, ...links }
  let body = `{${primary}`
  if (meta !== null && Object.keys(meta).length > 0) body += `,"meta":${json(meta)}`
  if (Object.keys(allLinks).length > 0) body += `,"links":${json(allLinks)}`
  return {
    status,
    headers: [...documentHeaders(rendering), ...checkedHeaders(headers)],
    body: `${body}${jsonapiMember(rendering)}}`,
  }
}

function primaryData(resources: Resources, write: ResourceWriter, { base }: Rendering): string {
  const { rows, context } = resources
  if (!resources.many) {
    const [row] = rows.rows
    return row === undefined ? 'null' : write(row, context, base)
  }
  let text = ''
  for (const row of rows.rows) text += `${text === '' ? '' : ','}${write(row, context, base)}`
  return `[${text}]`
}

function linkage(data: readonly Identifier[] | Identifier | null): string {
  if (data === null) return 'null'
  if (!('type' in data)) return `[${data.map(linkage).join(',')}]`
  const { type, id, meta } = data
  return json(meta === null ? { type, id } : { type, id, meta })
}

function writerFor({ type, serializer, rows, query }: Resources): ResourceWriter {
  const selection = select(type, serializer, query.fields.get(type.type))
  return serializer === null
    ? resourceWriter(type, selection, rows.columns)
    : serializerWriter(type, serializer, selection, rows.columns)
}

function urlOf({ type, serializer, rows, context }: Resources, row: Row, { base }: Rendering): string {
  const object = rowObject(rows.columns, row)
  const id = serializer === null ? type.id.encode(object[type.id.column]) : serializer.serialize(object, context).id
  return resourceUrl(type, id, base)
}

/** A handler's own headers, before anything of the answer has left: a line break in one would break it in two. */
function checkedHeaders(headers: readonly string[]): readonly string[] {
  if (headers.length > 0) checkHeaders(headers)
  return headers
}

function documentHeaders({ extensions, profiles }: Rendering): readonly string[] {
  return ['Content-Type', contentType(extensions, profiles), ...VARY_ACCEPT]
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
function jsonapiMember({ version, extensions, profiles, jsonapiMeta }: Rendering): string {
  const members = {
    ...(version === '' ? {} : { version }),
    ...(extensions.length === 0 ? {} : { ext: extensions }),
    ...(profiles.length === 0 ? {} : { profile: profiles }),
    ...(jsonapiMeta === null ? {} : { meta: jsonapiMeta }),
  }
  return Object.keys(members).length === 0 ? '' : `,"jsonapi":${json(members)}`
}
