import { isAllowedPath, isIncludable, maxDepth } from '../../serve/read/plan/inclusion.js'
import { isKnownRelation } from '../../serve/read/query/known-relation.js'
import type { QueryVocabulary } from '../../serve/read/query/query-vocabulary.js'
import { primaryVocabulary, relatedVocabulary } from '../../serve/read/query/query-vocabulary.js'
import { isKnownSort } from '../../serve/read/query/read-orders.js'
import { isOfferedFilter } from '../../serve/read/query/visible-filter.js'
import type { RequestServices } from '../../serve/read/read-context.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { Guarded, UseCondition } from '../../declare/resource/request/use-guard.js'
import { isUsable } from '../../declare/resource/request/use-guard.js'
import type { AccessExplanation, ExplainedKey } from './access-explanation.js'
import { AccessQuestionError } from './access-question-error.js'

/** The use of a key in a query: `filter[key]`, `sort=key` or `include=path`. */
export type Use = 'filter' | 'sort' | 'include'

export function isUse(ability: string): ability is Use {
  return ability === 'filter' || ability === 'sort' || ability === 'include'
}

/** A question about the keys of a type. */
export interface KeyQuestion {
  readonly served: ServedType
  readonly use: Use
  /** `null` for all keys. */
  readonly key: string | null
  /** The relation at whose addresses filters and sorts are used; `null` for the collection of the type. */
  readonly relation: ServedRelation | null
}

/** The context in which the use of a key is decided. */
export interface UseDecision {
  readonly services: RequestServices
  readonly context: RequestContext
  /** Describes the decision of the policy of a type about an ability. */
  readonly describe: (served: ServedType, ability: string) => readonly string[]
}

/** Returns whether a caller may use a filter, a sort or an include path; without a key, returns it for all keys. */
export function explainUse(question: KeyQuestion, decision: UseDecision): AccessExplanation {
  const { served, use, key } = question
  const explain =
    use === 'include'
      ? (path: string) => explainPath(served, path, decision)
      : (name: string) => explainKey(question, name, decision)
  if (key !== null) return explain(key)
  const keys = keysOf(question).map((each): ExplainedKey => {
    const { permitted, reasons } = explain(each)
    return { key: each, permitted, reasons }
  })
  const permitted = keys.some((each) => each.permitted)
  const reasons = keys.length === 0 ? [`'${labelOf(question)}' has no ${names[use]}.`] : keys.map(keyLine)
  return { permitted, status: permitted ? null : 400, reasons, keys }
}

const names: Readonly<Record<Use, string>> = Object.freeze({
  filter: 'filters',
  sort: 'sorts',
  include: 'include paths',
})

function keyLine({ key, permitted, reasons }: ExplainedKey): string {
  return permitted ? `'${key}' can be used.` : [`'${key}' is unknown to this caller.`, ...reasons].join(' ')
}

function keysOf(question: KeyQuestion): readonly string[] {
  const { served, use } = question
  if (use !== 'include') return Object.keys(specsOf(question, vocabularyOf(question)))
  return served.type.allowedIncludePaths?.map(({ path }) => path) ?? [...served.relations.keys()]
}

function vocabularyOf({ served, relation }: KeyQuestion): QueryVocabulary {
  if (relation === null) return primaryVocabulary(served)
  if (relation.related.size === 1) return relatedVocabulary(relation)
  throw new AccessQuestionError(`'${relation.name}' of '${served.type.type}' is not a relation to one type.`)
}

function specsOf({ use }: KeyQuestion, { filters, sorts }: QueryVocabulary): QueryVocabulary['filters' | 'sorts'] {
  return use === 'filter' ? filters : sorts
}

/** The type, or the relation of it, as the reasons name it. */
function labelOf({ served: { type }, relation }: Pick<KeyQuestion, 'served' | 'relation'>): string {
  return relation === null ? type.type : `${type.type}.${relation.name}`
}

function explainKey(question: KeyQuestion, key: string, decision: UseDecision): AccessExplanation {
  const { served, use, relation } = question
  const vocabulary = vocabularyOf(question)
  const specs = specsOf(question, vocabulary)
  const spec = Object.hasOwn(specs, key) ? specs[key] : undefined
  if (spec === undefined) {
    const list = Object.keys(specs).join(', ')
    throw new AccessQuestionError(
      `'${labelOf(question)}' has no ${use} '${key}'. ${use === 'filter' ? 'Filters' : 'Sorts'}: ${list}.`,
    )
  }
  // A key that the relation declares names an ability of the owner of the relation. Other keys name abilities of the related type.
  const ofRelation =
    relation === null ? undefined : (use === 'filter' ? relation.spec.filters : relation.spec.sorts)[key]
  const owner = relation === null || ofRelation === spec ? served : vocabulary.served
  const label = `${use} '${key}' of '${ofRelation === spec ? labelOf(question) : owner.type.type}'`
  const { context } = decision
  const reasons = describeCondition(label, { spec, condition: spec.usableIf }, owner, decision)
  if (!isUsable(spec, context)) return unknown(reasons)
  const filter = use === 'filter' ? vocabulary.filters[key] : undefined
  const isSeen =
    filter === undefined
      ? isKnownSort(key, vocabulary, { context, cursor: false, parameter: 'sort' })
      : isOfferedFilter({ key, spec: filter }, vocabulary, context)
  return isSeen ? known(reasons) : unknown([...reasons, 'It needs a field that is hidden from this caller.'])
}

/** Follows a path as `include` does: after a relation to several types, the types that have the next relation are followed. */
function explainPath(root: ServedType, path: string, decision: UseDecision): AccessExplanation {
  const reasons: string[] = []
  const forbidden: string[] = []
  let types: readonly ServedType[] = [root]
  for (const name of path.split('.')) {
    const hops = types.flatMap((from) => hopFrom(from, name, decision) ?? [])
    if (hops.length === 0) throw noRelation(types, name, path)
    reasons.push(...hops.flatMap((hop) => hop.reasons))
    const followed = hops.filter((hop) => hop.isKnown)
    if (followed.length === 0) return unknown(reasons)
    forbidden.push(...followed.flatMap((hop) => hop.forbidden ?? []))
    types = [...new Set(followed.flatMap(({ relation }) => [...relation.related.values()]))]
  }
  if (forbidden.length > 0) return unknown([...reasons, ...forbidden])
  const allowed = explainAllowed(root, path, decision)
  reasons.push(...allowed)
  if (!isAllowedPath(root, path, decision)) return unknown(reasons)
  const limit = maxDepth(root, decision)
  if (limit === 0 || path.split('.').length <= limit) return known(reasons)
  return unknown([...reasons, `'${path}' is longer than maxIncludeDepth allows: ${limit}.`])
}

function noRelation(types: readonly ServedType[], name: string, path: string): AccessQuestionError {
  const owners = types.map(({ type }) => `'${type.type}'`).join(', ')
  const relations = [...new Set(types.flatMap((each) => [...each.relations.keys()]))]
  return new AccessQuestionError(
    `${owners} has no relation '${name}' on the path '${path}'. Relations: ${relations.join(', ')}.`,
  )
}

interface ExplainedHop {
  readonly relation: ServedRelation
  readonly reasons: readonly string[]
  /** Whether `include` knows the relation. */
  readonly isKnown: boolean
  /** The reason why the relation is never included, although it is known; `null` if it can be. */
  readonly forbidden: string | null
}

/** Explains one relation of a path; `null` if a type has no such relation. */
function hopFrom(from: ServedType, name: string, decision: UseDecision): ExplainedHop | null {
  const relation = from.relations.get(name)
  if (relation === undefined) return null
  const { spec } = relation
  const label = `'${from.type.type}.${name}'`
  const condition = describeCondition(`include of ${label}`, { spec, condition: spec.includableIf }, from, decision)
  const isHidden = !isKnownRelation(relation, decision)
  const isKnown = isUsable(spec, decision.context) && !isHidden
  const hidden = isUsable(spec, decision.context) && isHidden ? [`${label} is hidden from this caller.`] : []
  const forbidden = isKnown && !isIncludable(relation, decision) ? whyForbidden(relation, label) : null
  return { relation, reasons: [...condition, ...hidden], isKnown, forbidden }
}

function whyForbidden({ spec, complete }: ServedRelation, label: string): string {
  if (!complete) return `${label} is a relation to a type that this server does not have.`
  const name = spec.cannotBeIncluded === true ? 'cannotBeIncluded()' : 'The function of cannotBeIncluded()'
  return `${name} of ${label} forbids it.`
}

function explainAllowed(root: ServedType, path: string, decision: UseDecision): readonly string[] {
  const { allowedIncludePaths, type } = root.type
  if (allowedIncludePaths === null) return []
  const covering = allowedIncludePaths.filter((each) => each.path === path || each.path.startsWith(`${path}.`))
  if (covering.length === 0) return [`allowedIncludePaths of '${type}' does not have '${path}'.`]
  // The caller may use the path if one of them is usable.
  const shown = covering.find((each) => isUsable(each, decision.context)) ?? covering[0]
  if (shown === undefined || shown.usableIf === null) return []
  const label = `path '${shown.path}' in allowedIncludePaths of '${type}'`
  return describeCondition(label, { spec: shown, condition: shown.usableIf }, root, decision)
}

interface Conditional {
  readonly spec: Guarded
  readonly condition: UseCondition | null
}

/** Describes a condition, and the decision about it. */
function describeCondition(
  label: string,
  { spec, condition }: Conditional,
  owner: ServedType,
  { context, describe }: UseDecision,
): readonly string[] {
  if (condition === null) return [`The ${label} has no condition.`]
  const isMet = isUsable(spec, context)
  if (typeof condition === 'function') {
    const result = isMet ? 'returns' : 'does not return'
    return [`The condition of the ${label} is a function, and ${result} true for this caller.`]
  }
  return [`The condition of the ${label} names '${condition}'.`, ...describe(owner, condition)]
}

function known(reasons: readonly string[]): AccessExplanation {
  return { permitted: true, status: null, reasons }
}

function unknown(reasons: readonly string[]): AccessExplanation {
  return { permitted: false, status: 400, reasons }
}
