import type { Awaitable } from '../../../core/util/types.js'
import type { Deprecation } from '../parts/deprecation.js'
import type { ActionReply } from '../replies/reply.js'
import type { FieldGuard } from '../fields/field-guard.js'
import type { RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request/request-context.js'
import type { Bytes, SuccessResponse } from '../replies/responses.js'

/** Whether an action of an {@link ActionKit} is called on one resource or on the collection. */
export type ActionScope = 'resource' | 'collection'

/**
 * An HTTP method that an action may have.
 *
 * @example
 * ```ts
 * const methods = ['GET', 'POST']
 * ```
 */
export type ActionMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export const actionMethods: readonly ActionMethod[] = Object.freeze(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])

/** The input of an action of an {@link ActionKit}: nothing, a document, or the bytes of the body: of some media types, or of any. */
export type ActionInput = 'none' | 'document' | 'raw' | Bytes

/** An action of a type, compiled once at build. */
export interface CompiledAction {
  /** The path segment after `-actions`. */
  readonly path: string
  readonly scope: ActionScope
  readonly methods: readonly ActionMethod[]
  readonly input: 'none' | 'document' | 'raw'
  /** The media types, and ranges of them, that raw input may have; `null` for any, and for a body without one. */
  readonly inputMediaTypes: readonly string[] | null
  /** The type of the documents that the action takes. */
  readonly inputType: string
  /** The possible success responses. An `actionResource` response always names its type. */
  readonly responses: readonly SuccessResponse[]
  /**
   * Returns whether the client may call the action; `null` allows every client. The row is `null` on the collection.
   */
  readonly allowed: ((row: RowObject | null, context: RequestContext) => boolean) | null
  /** The ability of the policy that a call needs; `false` if it needs none; `null` if the action does not declare it. */
  readonly ability: string | false | null
  /** The guard of the link to the action, for the ability. Set when the type is compiled. */
  readonly guard: FieldGuard | null
  readonly asLink: boolean
  readonly linkedWhen: ((row: RowObject, context: RequestContext) => boolean) | null
  /** The columns that `allowed` and `linkedWhen` need to decide about the link; `null` for the whole row. */
  readonly linkColumns: readonly string[] | null
  /** The kind of a built-in action of soft deletes, which does not call `handle`; `null` if the action is user-defined. */
  readonly builtIn: 'restore' | 'forceDelete' | null
  /** The name of the route; `null` for the default name. */
  readonly name: string | null
  readonly tags: readonly string[]
  readonly description: string | null
  /** `null` if the action is not deprecated. */
  readonly deprecation: Deprecation | null
  readonly handle: (work: object) => Awaitable<ActionReply>
  /** The options as declared, for the build rules, which check their types. */
  readonly given: Readonly<Record<string, unknown>>
}

/** Returns the media types of the bytes that an action may respond with; `null` if it responds without bytes. */
export function sentMediaTypes({ responses }: Pick<CompiledAction, 'responses'>): readonly string[] | null {
  return responses.find((response) => response.kind === 'bytes')?.mediaTypes ?? null
}
