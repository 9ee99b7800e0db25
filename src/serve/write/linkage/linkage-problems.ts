import { pointer } from '../../../core/document/json-pointer.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { problem } from '../../../core/errors/json-api-error.js'
import type { Sentence } from '../../../core/errors/sentence.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import { attributeOf } from '../../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../../declare/resource/fields/constraint.js'
import { listKind } from '../../../declare/resource/fields/value-kind.js'
import type { Awaitable } from '../../../core/util/types.js'
import { collectUpTo, joinInOrder } from '../../../core/util/awaitable.js'
import type { RequestServices } from '../../read/read-context.js'
import { unknownFieldProblems } from '../document/check-members.js'
import { attributeProblems } from '../../validation/attribute-problems.js'
import { violationsOf } from '../../validation/constraint-violations.js'
import { hasPresenceRule } from '../../validation/field-rules.js'
import type { Violation } from '../../validation/violation.js'
import type { Validation } from '../../validation/validation.js'
import type { LinkageChange } from './linkage-change.js'
import { identityOf, linkageChange } from './linkage-change.js'
import type { SentIdentifier } from '../document/sent-linkage.js'
import { storedPivotReader, writablePivot } from '../columns/pivot-fields.js'

/** The context in which linkage is checked: that of attributes, without the members that differ for each relation. */
export interface LinkageValidation extends Omit<Validation, 'writable' | 'stored' | 'row'> {
  /** Whether fields of join rows that the client may not write are ignored or rejected. */
  readonly unknownMembers: RequestServices['unknownMembers']
}

/**
 * Returns the problems of linkage that do not depend on whether its resources exist: malformed ids, invalid fields of
 * join rows, and violated constraints of the resulting set.
 */
export function linkageProblems(change: LinkageChange, validation: LinkageValidation): Awaitable<readonly Problem[]> {
  const ids = idProblems(change)
  const fields = pivotProblems(change, validation)
  if (ids.length === 0 && fields === none) return setProblems(change, validation)
  return joinInOrder(
    () => ids,
    () => fields,
    () => setProblems(change, validation),
  )
}

/** Returns a problem for every relation that is required for a new resource and missing from the body. */
export function missingRelations(
  writable: readonly ServedRelation[],
  sent: readonly { readonly relation: ServedRelation }[],
  validation: LinkageValidation,
): readonly Problem[] {
  const problems: Problem[] = []
  for (const { name, spec } of writable) {
    if (spec.constraints.length === 0 || sent.some(({ relation }) => relation.name === name)) continue
    if (!hasPresenceRule(spec.constraints, 'required', undefined, validation)) continue
    problems.push(violation(sentence('required'), pointer('data', 'relationships', name)))
  }
  return problems
}

/**
 * Returns the changes of to-many relations that a create leaves out: they have no members, which `minItems` may forbid.
 * Relations that are required are reported as missing.
 */
export function unsentChanges(
  writable: readonly ServedRelation[],
  sent: readonly { readonly relation: ServedRelation }[],
  validation: LinkageValidation,
): readonly LinkageChange[] {
  const changes: LinkageChange[] = []
  for (const relation of writable) {
    const { name, spec } = relation
    if (spec.constraints.length === 0 || !spec.traits.toMany) continue
    if (sent.some((each) => each.relation.name === name)) continue
    if (hasPresenceRule(spec.constraints, 'required', undefined, validation)) continue
    const linkage = { relation, members: [], pointer: pointer('data', 'relationships', name) }
    changes.push(linkageChange(linkage, 'replace', [], validation.context))
  }
  return changes
}

/** Checks ids against the format of the type that the identifier names. Ids of current members are not checked. */
function idProblems({ relation, sent, unchanged, removed }: LinkageChange): readonly Problem[] {
  const isMalformed = ({ type, id }: SentIdentifier): boolean =>
    relation.related.get(type)?.type.id.hasFormat(id) === false
  if (!sent.some(isMalformed)) return none
  const malformed = sent.filter(isMalformed)
  const known = new Set([...unchanged.map(({ current }) => current), ...removed].map(identityOf))
  return malformed
    .filter((member) => !known.has(identityOf(member)))
    .map((member) => violation(sentence('id'), `${member.pointer}/id`))
}

/**
 * Checks the fields of join rows: for new members by the rules for create, for members that stay by those for update.
 */
function pivotProblems(
  { relation, mode, sent, unchanged }: LinkageChange,
  validation: LinkageValidation,
): Awaitable<readonly Problem[]> {
  const { spec } = relation
  if (mode === 'remove' || !hasMembers(spec.pivot)) return none
  const { context, limit, unknownMembers } = validation
  const [onCreate, onUpdate] = [writablePivot(spec, 'create', context), writablePivot(spec, 'update', context)]
  const storedIn = storedPivotReader(spec, context)
  const joins = new Map(unchanged.map((member) => [member.sent, member.current.join ?? {}]))
  return collectUpTo(sent, limit, (member) => {
    const join = joins.get(member) ?? null
    const rules =
      join === null
        ? ({ mode: 'create', writable: onCreate } as const)
        : ({ mode: 'update', writable: onUpdate } as const)
    const unknown = unknownMembers === 'reject' ? unknownFieldProblems(relation, member, rules.writable, limit) : []
    const checked: Validation = { ...validation, ...rules, row: join, stored: storedIn(join) }
    return joinInOrder(
      () => unknown,
      () => attributeProblems(member.pivot, checked, `${member.pointer}/meta/pivot`),
    )
  })
}

function hasMembers(fields: object): boolean {
  for (const name in fields) if (Object.hasOwn(fields, name)) return true
  return false
}

/** Checks the constraints of the relation against the resulting members. */
function setProblems(
  { relation, pointer: at, added, removed, resulting, unseen }: LinkageChange,
  validation: LinkageValidation,
): Awaitable<readonly Problem[]> {
  const { traits, constraints } = relation.spec
  if (constraints.length === 0) return none
  // A client that sends back the members that it read violates no constraint.
  if (validation.mode === 'update' && added.length === 0 && removed.length === 0) return []
  const isEmpty = resulting.length === 0 && unseen.length === 0
  // Presence rules hold if there is any member.
  if (!isEmpty && constraints.every(isPresence)) return none
  const members = [...resulting, ...unseen]
  const value = traits.toMany ? members : (members[0] ?? null)
  const isDemanded = (kind: 'required' | 'nullable'): boolean => hasPresenceRule(constraints, kind, value, validation)
  if (isEmpty && isDemanded('required') && !isDemanded('nullable')) {
    return [violation(sentence(traits.toMany ? 'notEmpty' : 'notNull'), at)]
  }
  if (value === null || constraints.every(isPresence)) return none
  const { mode, context, schemas, limit } = validation
  const found = violationsOf(constraints, value, {
    mode,
    context,
    schemas,
    limit,
    sibling: noSibling,
    spec: linkageSpec,
  })
  return problemsAt(at, found)
}

async function problemsAt(at: string, found: Awaitable<readonly Violation[]>): Promise<readonly Problem[]> {
  return (await found).map(({ message }) => violation(message, at))
}

const none: readonly Problem[] = Object.freeze([])

/** Whether any member meets a constraint. */
export function isPresence({ kind }: Constraint): boolean {
  return kind === 'required' || kind === 'nullable'
}

/** The attribute specification that constraints get for linkage. */
const linkageSpec = attributeOf(listKind).spec

/** Linkage has no sibling attributes. */
const noSibling = (): undefined => undefined

function violation(message: Sentence | string, at: string): Problem {
  return problem('VALIDATION_FAILED', { message }, { source: { pointer: at } })
}
