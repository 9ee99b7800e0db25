/** Says of itself that it is one, so that no row of the author's is taken for it; registered, for two copies of the package. */
const mark: unique symbol = Symbol.for('ashlar.answer')

interface Marked {
  readonly [mark]: true
}

const marked: Marked = Object.freeze<Marked>({ [mark]: true })

/** What an author's own code answers in place of the service: an action, a hook after the fact, a persister. */
export type Answer = ResourceAnswer | MetaAnswer | NoContentAnswer | AcceptedAnswer | SeeOtherAnswer

/** A document of rows of one type. */
export interface ResourceAnswer extends Marked {
  readonly kind: 'resource'
  /** One row or `null`, or a list of them. */
  readonly rows: object | readonly object[] | null
  /** The type of the rows; `null` for the type that the code belongs to. */
  readonly type: string | null
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** A document of nothing but meta. */
export interface MetaAnswer extends Marked {
  readonly kind: 'meta'
  readonly meta: Readonly<Record<string, unknown>>
}

export interface NoContentAnswer extends Marked {
  readonly kind: 'noContent'
}

/** The work goes on after the answer. */
export interface AcceptedAnswer extends Marked {
  readonly kind: 'accepted'
  /** The row of the job, shown as the type that `accepted('jobs')` names; `null` for a document of meta alone. */
  readonly job: object | null
  /** Where the client asks how the work goes; `null` for the address of the job. */
  readonly poll: string | null
  /** Seconds to wait before the next question, or the moment for it. */
  readonly retryAfter: number | Date | null
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** What the client wants is elsewhere. */
export interface SeeOtherAnswer extends Marked {
  readonly kind: 'seeOther'
  readonly location: Place
}

/** An address as it is, or the resource that is there. */
export type Place = string | { readonly type: string; readonly id: string }

interface AnswerKit {
  /** 200 with the row, or the rows, as resources. */
  resource(
    rows: object | readonly object[] | null,
    options?: { readonly type?: string; readonly meta?: Readonly<Record<string, unknown>> },
  ): ResourceAnswer
  /** 200 with a document of nothing but meta. */
  meta(meta: Readonly<Record<string, unknown>>): MetaAnswer
  /** 204 */
  noContent(): NoContentAnswer
  /** 202 with the job's document, `Content-Location` and `Retry-After`. */
  accepted(options: {
    readonly job?: object | null
    readonly poll?: string
    readonly retryAfter?: number | Date
    readonly meta?: Readonly<Record<string, unknown>>
  }): AcceptedAnswer
  /** 303 with `Location`. */
  seeOther(location: Place): SeeOtherAnswer
}

/**
 * Makes the answers of an author's own code.
 *
 * @example
 * ```ts
 * const counted = answer.meta({ albums: 4 })
 * const later = answer.accepted({ job: { id: 7, status: 'running' }, retryAfter: 5 })
 * ```
 */
export const answer: AnswerKit = Object.freeze<AnswerKit>({
  resource: (rows, { type, meta } = {}) =>
    Object.freeze({ ...marked, kind: 'resource', rows, type: type ?? null, meta: meta ?? null }),
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
  seeOther: (location) => Object.freeze({ ...marked, kind: 'seeOther', location }),
})

/** Whether a value was made with `answer`. */
export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && mark in value
}
