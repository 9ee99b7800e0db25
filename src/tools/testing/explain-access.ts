import type { AccessExplanation, AccessQuestion } from '../../server/explain/access-explanation.js'

/**
 * The explanation that {@link explainAccess} returns.
 *
 * @example
 * ```ts
 * const { permitted, text }: ExplainedAccess = await explainAccess(server, 'albums:viewAny', { as: null })
 * if (!permitted) throw new Error(text)
 * ```
 */
export interface ExplainedAccess extends AccessExplanation {
  /** The question, the decision and its reasons, as readable lines. */
  readonly text: string
}

/**
 * Returns whether a caller has an ability, and which rule of the policy decides. The question is a type, an ability and an
 * id: `albums:update:1`; abilities such as `create` need no id. `albums.owner:view:1` is about a field. `albums:filter`,
 * `albums:sort` and `albums:include` are about the keys that the caller may use in queries, `albums.margin:filter` about one of them,
 * and `artists/albums.margin:filter` about one at the addresses of a relation.
 *
 * @example
 * ```ts
 * const { status, text } = await explainAccess(server, 'albums:update:1', { as: { id: 2, admin: false } })
 * console.log(status) // 403
 * console.log(text) // albums:update:1 is denied with 403. …
 * ```
 */
export async function explainAccess(
  server: { explain(question: AccessQuestion): Promise<AccessExplanation> },
  question: string,
  options: Pick<AccessQuestion, 'as' | 'server'>,
): Promise<ExplainedAccess> {
  const parts = readQuestion(question)
  if (parts === null) {
    throw new TypeError(
      `'${question}' is not a valid question: write type:ability or type:ability:id, such as albums:update:1.`,
    )
  }
  const explanation = await server.explain({ ...parts, ...options })
  const { permitted, status, reasons } = explanation
  const denied = status === null ? 'is denied: the field does not exist for the caller' : `is denied with ${status}`
  const decision = permitted ? 'is permitted' : denied
  return { ...explanation, text: [`${question} ${decision}.`, ...reasons.map((reason) => `  - ${reason}`)].join('\n') }
}

/** Returns the parts of `type/relation.field:ability:id`; `null` if the text has another form. An id may have colons. */
export function readQuestion(text: string): Omit<AccessQuestion, 'as' | 'server'> | null {
  const form = /^(?<type>[^:./]+)(?:\/(?<relation>[^:.]+))?(?:\.(?<field>[^:]+))?:(?<ability>[^:]+)(?::(?<id>[^]+))?$/
  const { type, ability, ...others } = form.exec(text)?.groups ?? {}
  if (type === undefined || ability === undefined) return null
  return { type, ability, ...Object.fromEntries(Object.entries(others).filter(([, part]) => part !== undefined)) }
}
