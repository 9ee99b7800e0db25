import type { ErrorAnswer } from '../errors/checked-answer.js'
import type { Serializer } from '../resource/capabilities/serializer.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RequestContext } from '../resource/request-context.js'
import type { Row, RowSet } from '../rows/row-set.js'
import type { JsonValue } from '../util/types.js'
import type { QueryParameters } from './query-parameters.js'

/** What every answer may carry. */
interface Extras {
  readonly status: number
  /** Name and value by turns. */
  readonly headers: readonly string[]
}

interface DocumentExtras extends Extras {
  readonly meta: Readonly<Record<string, unknown>> | null
  readonly links: Readonly<Record<string, JsonValue>> | null
}

/** Rows of one type, and the operation's query, which says how they are to be shown. */
export interface Resources {
  readonly type: CompiledType
  /** `null` where the declared attributes say the wire shape. */
  readonly serializer: Serializer | null
  readonly rows: RowSet
  /** Whether `data` is a list; otherwise it is the first row, or `null` when there is none. */
  readonly many: boolean
  readonly query: QueryParameters
  readonly context: RequestContext
}

/** One linkage identifier. */
export interface Identifier {
  readonly type: string
  readonly id: string
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** What a handler answers, before anything is written: one of six kinds. */
export type ResponseValue =
  | (DocumentExtras & {
      readonly kind: 'data'
      readonly resources: Resources
      /** The row whose address is the `Location` of the answer. */
      readonly location: Row | null
    })
  | (DocumentExtras & { readonly kind: 'meta' })
  | (DocumentExtras & { readonly kind: 'related'; readonly resources: Resources })
  | (DocumentExtras & { readonly kind: 'identifier'; readonly data: readonly Identifier[] | Identifier | null })
  | (Extras & { readonly kind: 'noContent' })
  | { readonly kind: 'error'; readonly answer: ErrorAnswer }

/** A document of resources, 200 unless said otherwise. */
export function dataResponse(
  resources: Resources,
  rest: Partial<Pick<DocumentExtras, 'status' | 'headers' | 'meta' | 'links'>> & { readonly location?: Row } = {},
): Extract<ResponseValue, { kind: 'data' }> {
  return { kind: 'data', status: 200, headers: [], meta: null, links: null, location: null, ...rest, resources }
}

/** A document of nothing but meta. */
export function metaResponse(meta: Readonly<Record<string, unknown>>): Extract<ResponseValue, { kind: 'meta' }> {
  return { kind: 'meta', status: 200, headers: [], links: null, meta }
}

export function noContentResponse(): Extract<ResponseValue, { kind: 'noContent' }> {
  return { kind: 'noContent', status: 204, headers: [] }
}
