import type { Awaitable } from '../../util/types.js'
import type { Answer } from '../answer.js'
import type { RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request-context.js'
import type { SuccessResponse } from '../responses.js'

/** Whether it is called on one resource or on the collection. */
export type ActionScope = 'resource' | 'collection'

export type ActionMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export const actionMethods: readonly ActionMethod[] = Object.freeze(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])

export type ActionInput = 'none' | 'document' | 'raw'

/** An action of a type, read once. */
export interface CompiledAction {
  /** The segment behind `-actions`. */
  readonly path: string
  readonly scope: ActionScope
  readonly methods: readonly ActionMethod[]
  readonly input: ActionInput
  /** The type whose documents it takes. */
  readonly inputType: string
  /** What it may answer with; the types of documents are named. */
  readonly responses: readonly SuccessResponse[]
  /** Whether the caller may; `null` lets everybody. The row is `null` on the collection. */
  readonly allowed: ((row: RowObject | null, context: RequestContext) => boolean) | null
  readonly asLink: boolean
  readonly linkedWhen: ((row: RowObject, context: RequestContext) => boolean) | null
  /** The columns that decide whether the link is shown; `null` for the whole row. */
  readonly linkColumns: readonly string[] | null
  /** Whether it finds rows that are deleted softly. */
  readonly reachesTrashed: boolean
  /** Whether it deletes the resource: the hooks around deletes run. */
  readonly removes: boolean
  /** Of its route; `null` for the usual one. */
  readonly name: string | null
  readonly tags: readonly string[]
  readonly description: string | null
  readonly handle: (work: object) => Awaitable<Answer>
  /** As written: the build rules look at what it really is. */
  readonly given: Readonly<Record<string, unknown>>
}
