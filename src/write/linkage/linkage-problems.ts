import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { attributeOf } from '../../resource/fields/attribute-declaration.js'
import type { Constraint } from '../../resource/fields/constraint.js'
import { listKind } from '../../resource/fields/value-kind.js'
import type { Awaitable } from '../../util/types.js'
import { collectUpTo, mapAwaitable } from '../../util/awaitable.js'
import type { RequestServices } from '../../read/request-services.js'
import { unknownFieldProblems } from '../document/check-members.js'
import { attributeProblems } from '../../validation/attribute-problems.js'
import { violationsOf } from '../../validation/constraint-violations.js'
import { hasPresenceRule } from '../../validation/presence-rules.js'
import type { Validation } from '../../validation/validation.js'
import type { LinkageChange } from './linkage-change.js'
import { identityOf } from '../document/member.js'
import type { SentIdentifier } from '../document/sent-linkage.js'
import { pivotReading, writablePivot } from '../columns/pivot-fields.js'

/** How linkage is checked: as attributes are, but for what each relation has of its own. */
export interface LinkageValidation extends Omit<Validation, 'writable' | 'stored' | 'row'> {
  /** Whether fields of join rows that a client may not write are passed over. */
  readonly unknownMembers: RequestServices['unknownMembers']
}

/** What is wrong with linkage, whether or not its resources exist: ids, fields of join rows, and the resulting set. */
export function linkageProblems(change: LinkageChange, validation: LinkageValidation): Awaitable<readonly Problem[]> {
  const ids = idProblems(change)
  const fields = pivotProblems(change, validation)
  if (ids.length === 0 && fields === none) return setProblems(change, validation)
  return mapAwaitable(fields, (found) =>
    mapAwaitable(setProblems(change, validation), (set) => [...ids, ...found, ...set]),
  )
}

/** A problem for every relation that a new resource must have, and that the body says nothing about. */
export function missingRelations(
  writable: readonly ServedRelation[],
  sent: readonly { readonly relation: ServedRelation }[],
  validation: LinkageValidation,
): readonly Problem[] {
  const problems: Problem[] = []
  for (const { name, spec } of writable) {
    if (spec.constraints.length === 0 || sent.some(({ relation }) => relation.name === name)) continue
    if (!hasPresenceRule(spec.constraints, 'required', undefined, validation)) continue
    problems.push(violation('This is required.', pointer('data', 'relationships', name)))
  }
  return problems
}

/** The format is that of the type that the identifier names. What is a member already is known to be one. */
function idProblems({ relation, sent, kept, removed }: LinkageChange): readonly Problem[] {
  const isUnfit = ({ type, id }: SentIdentifier): boolean => relation.related.get(type)?.type.id.hasFormat(id) === false
  if (!sent.some(isUnfit)) return none
  const unfit = sent.filter(isUnfit)
  const known = new Set([...kept.map(({ current }) => current), ...removed].map(identityOf))
  return unfit
    .filter((member) => !known.has(identityOf(member)))
    .map((member) => violation('This id does not have the required form.', `${member.pointer}/id`))
}

/** New members are held against the rules for creating, members that stay against those for updating. */
function pivotProblems(
  { relation, mode, sent, kept }: LinkageChange,
  validation: LinkageValidation,
): Awaitable<readonly Problem[]> {
  const { spec } = relation
  if (mode === 'remove' || !hasMembers(spec.pivot)) return none
  const { context, limit, unknownMembers } = validation
  const [onCreate, onUpdate] = [writablePivot(spec, 'create', context), writablePivot(spec, 'update', context)]
  const storedIn = pivotReading(spec, context)
  const joins = new Map(kept.map((member) => [member.sent, member.current.join ?? {}]))
  return collectUpTo(sent, limit, (member) => {
    const join = joins.get(member) ?? null
    const rules =
      join === null
        ? ({ mode: 'create', writable: onCreate } as const)
        : ({ mode: 'update', writable: onUpdate } as const)
    const unknown = unknownMembers === 'reject' ? unknownFieldProblems(relation, member, rules.writable, limit) : []
    const checked: Validation = { ...validation, ...rules, row: join, stored: storedIn(join) }
    const problems = attributeProblems(member.pivot, checked, `${member.pointer}/meta/pivot`)
    return mapAwaitable(problems, (found) => [...unknown, ...found])
  })
}

function hasMembers(fields: object): boolean {
  for (const name in fields) if (Object.hasOwn(fields, name)) return true
  return false
}

/** The rules of the relation itself hold for the members that it will have. */
function setProblems(
  { relation, pointer: at, added, removed, resulting, unseen }: LinkageChange,
  validation: LinkageValidation,
): Awaitable<readonly Problem[]> {
  const { traits, constraints } = relation.spec
  if (constraints.length === 0) return none
  // Members that stay as they are say nothing new: who sends back what was read breaks no rule.
  if (validation.mode === 'update' && added.length === 0 && removed.length === 0) return []
  const isEmpty = resulting.length === 0 && unseen.length === 0
  // Members that are there are all that these ask for.
  if (!isEmpty && constraints.every(isPresence)) return none
  const members = [...resulting, ...unseen]
  const value = traits.toMany ? members : (members[0] ?? null)
  const isDemanded = (kind: 'required' | 'nullable'): boolean => hasPresenceRule(constraints, kind, value, validation)
  if (isEmpty && isDemanded('required') && !isDemanded('nullable')) {
    return [violation(traits.toMany ? 'This must not be empty.' : 'This must not be null.', at)]
  }
  if (value === null || constraints.every(isPresence)) return none
  const { mode, context, schemas, limit } = validation
  const found = violationsOf(constraints, value, { mode, context, schemas, limit, sibling: nobody, spec: linkageSpec })
  return mapAwaitable(found, (violations) => violations.map(({ message }) => violation(message, at)))
}

const none: readonly Problem[] = Object.freeze([])

function isPresence({ kind }: Constraint): boolean {
  return kind === 'required' || kind === 'nullable'
}

/** Linkage, as rules for attributes see it. */
const linkageSpec = attributeOf(listKind).spec

/** It has no fields beside it. */
const nobody = (): undefined => undefined

function violation(message: string, at: string): Problem {
  return problem('VALIDATION_FAILED', { message }, { source: { pointer: at } })
}
