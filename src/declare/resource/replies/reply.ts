import { isRowSet, type RowSet } from '../../../core/rows/row-set.js'

/**
 * Marks a reply, so that a row of the application is never mistaken for one. A registered symbol, so that replies of
 * another copy of the package are recognized too.
 */
const mark: unique symbol = Symbol.for('ashlar.reply')

interface Marked {
  readonly [mark]: true
}

const marked: Marked = Object.freeze<Marked>({ [mark]: true })

/**
 * A response that user-defined code returns instead of the default one: an action, an `after…` hook, or a persister.
 * {@link reply} creates it.
 */
export type Reply = ResourceReply | MetaReply | NoContentReply | AcceptedReply | SeeOtherReply

/** A response that an action returns. {@link reply} creates it. */
export type ActionReply = Reply | BytesReply

/** A response with a document of rows of one type, as `reply.resource()` of {@link reply} creates it. */
export interface ResourceReply<Data extends ReplyData = ReplyData> extends Marked {
  readonly kind: 'resource'
  readonly data: Data
  /** One row or `null`, or a list of rows. */
  readonly rows: object | readonly object[] | null
  /** The type of the rows; `null` for the type that declares the action or the hook. */
  readonly type: string | null
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** The contents of a document with resources. */
export type ReplyData = 'one' | 'null' | 'many'

/**
 * What the document of some rows has. A row that may be `null` counts as one: the compiler does not know whether a row of the store still
 * exists. Rows of any type may be everything.
 */
type DataOf<Rows> = 0 extends 1 & Rows ? never : [Rows] extends [null] ? 'null' : DataOfRows<NonNullable<Rows>>

type DataOfRows<Rows> = Rows extends readonly unknown[] | RowSet ? 'many' : 'one'

/** A response with a document that contains only meta, as `reply.meta()` of {@link reply} creates it. */
export interface MetaReply extends Marked {
  readonly kind: 'meta'
  readonly meta: Readonly<Record<string, unknown>>
}

/** A response without a body, as `reply.noContent()` of {@link reply} creates it. */
export interface NoContentReply extends Marked {
  readonly kind: 'noContent'
}

/**
 * A response for work that continues after the response is sent, as `reply.accepted()` of {@link reply} creates it.
 */
export interface AcceptedReply extends Marked {
  readonly kind: 'accepted'
  /** The row of the job, rendered as the type that `accepted('jobs')` names; `null` for a document with only meta. */
  readonly job: object | null
  /** The URL where the client polls the state of the work; `null` for the URL of the job. */
  readonly poll: string | null
  /** Seconds to wait before the next poll, or the time of the next poll. */
  readonly retryAfter: number | Date | null
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** A redirect to another URL, as `reply.seeOther()` of {@link reply} creates it. */
export interface SeeOtherReply extends Marked {
  readonly kind: 'seeOther'
  readonly location: RedirectTarget
}

/** A response with bytes, as `reply.bytes()` of {@link reply} creates it. */
export interface BytesReply extends Marked, BytesOptions {
  readonly kind: 'bytes'
  readonly content: BytesContent
}

/**
 * Bytes that an action returns. A stream is read while the response is sent, after the transaction of the action.
 *
 * @example
 * ```ts
 * const content: BytesContent = new TextEncoder().encode('title,year')
 * ```
 */
export type BytesContent = Uint8Array | AsyncIterable<Uint8Array>

interface BytesOptions {
  /** One of the media types that `bytes()` declares. Default: the only one. */
  readonly mediaType?: string | undefined
  /** The name under which clients save the bytes. With it, browsers do not show them, unless `inline` is true. */
  readonly fileName?: string | undefined
  readonly inline?: boolean | undefined
  /** Identifies the bytes: a read with this tag in `If-None-Match` is 304. Without quotes. */
  readonly etag?: string | undefined
  readonly lastModified?: Date | undefined
  /** The header `Cache-Control`. */
  readonly cacheControl?: string | undefined
  /** How many bytes a stream has, if that is known. */
  readonly length?: number | undefined
}

/**
 * A redirect target: a URL, used unchanged, or a resource of this server.
 *
 * @example
 * ```ts
 * const newest = { type: 'albums', id: '7' }
 * const redirect = reply.seeOther(newest)
 * ```
 */
export type RedirectTarget = string | { readonly type: string; readonly id: string }

interface ReplyKit {
  /** 200 with the row or rows as resources. */
  resource<Rows extends object | readonly object[] | null>(
    rows: Rows,
    options?: { readonly type?: string; readonly meta?: Readonly<Record<string, unknown>> },
  ): ResourceReply<DataOf<Rows>>
  /** 200 with a document that contains only meta. */
  meta(meta: Readonly<Record<string, unknown>>): MetaReply
  /** 204 */
  noContent(): NoContentReply
  /** 202 with the job's document, `Content-Location` and `Retry-After`. */
  accepted(options: {
    readonly job?: object | null
    readonly poll?: string
    readonly retryAfter?: number | Date
    readonly meta?: Readonly<Record<string, unknown>>
  }): AcceptedReply
  /** 200 with bytes of a media type that `bytes()` declares. Only for actions. */
  bytes(content: BytesContent, options?: BytesOptions): BytesReply
  /** 303 with `Location`. */
  seeOther(location: RedirectTarget): SeeOtherReply
}

/**
 * Creates the responses that user-defined code returns.
 *
 * @example
 * ```ts
 * const counted = reply.meta({ albums: 4 })
 * const later = reply.accepted({ job: { id: 7, status: 'running' }, retryAfter: 5 })
 * ```
 */
export const reply: ReplyKit = Object.freeze<ReplyKit>({
  resource: resourceReply as ReplyKit['resource'],
  meta: (meta) => Object.freeze({ ...marked, kind: 'meta', meta }),
  noContent: () => Object.freeze({ ...marked, kind: 'noContent' }),
  accepted: ({ job, poll, retryAfter, meta }) =>
    Object.freeze({
      ...marked,
      kind: 'accepted',
      job: job ?? null,
      poll: poll ?? null,
      retryAfter: retryAfter ?? null,
      meta: meta ?? null,
    }),
  bytes: (content, options) => Object.freeze({ ...options, ...marked, kind: 'bytes', content }),
  seeOther: (location) => Object.freeze({ ...marked, kind: 'seeOther', location }),
})

function resourceReply(
  rows: object | null,
  { type, meta }: { readonly type?: string; readonly meta?: Readonly<Record<string, unknown>> } = {},
): ResourceReply {
  const data = rows === null ? 'null' : Array.isArray(rows) || isRowSet(rows) ? 'many' : 'one'
  return Object.freeze({ ...marked, kind: 'resource', data, rows, type: type ?? null, meta: meta ?? null })
}

/** Returns whether a value was created with `reply`. */
export function isReply(value: unknown): value is ActionReply {
  return typeof value === 'object' && value !== null && mark in value
}
