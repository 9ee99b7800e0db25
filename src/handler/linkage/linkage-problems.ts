import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { attributeOf } from '../../resource/fields/attribute-declaration.js'
import { listKind } from '../../resource/fields/value-kind.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import type { HandlerServices } from '../handler-services.js'
import { unknownFieldProblems } from '../steps/check-members.js'
import { attributeProblems } from '../validation/attribute-problems.js'
import { ruleViolations } from '../validation/constraint-violations.js'
import { demands } from '../validation/presence.js'
import type { Validation } from '../validation/validation.js'
import type { LinkageChange } from './linkage-change.js'
import { identityOf } from './member.js'
import { pivotReading, writablePivot } from './pivot-fields.js'

/** How linkage is checked: as attributes are, but for what each relation has of its own. */
export interface LinkageValidation extends Omit<Validation, 'writable' | 'stored' | 'row'> {
  /** Whether fields of join rows that a client may not write are passed over. */
  readonly unknownMembers: HandlerServices['unknownMembers']
}

/** What is wrong with linkage, whether or not its resources exist: ids, fields of join rows, and the resulting set. */
export async function linkageProblems(
  change: LinkageChange,
  validation: LinkageValidation,
): Promise<readonly Problem[]> {
  return [
    ...idProblems(change),
    ...(await pivotProblems(change, validation)),
    ...(await setProblems(change, validation)),
  ]
}

/** A problem for every relation that a new resource must have, and that the body says nothing about. */
export function missingRelations(
  writable: readonly ServedRelation[],
  sent: readonly { readonly relation: ServedRelation }[],
  validation: LinkageValidation,
): readonly Problem[] {
  const named = new Set(sent.map(({ relation }) => relation.name))
  return writable
    .filter(({ name, spec }) => !named.has(name) && isRequired(spec, undefined, validation))
    .map(({ name }) => violation('This is required.', pointer('data', 'relationships', name)))
}

/** The format is that of the type that the identifier names. What is a member already is known to be one. */
function idProblems({ relation, sent, kept, removed }: LinkageChange): readonly Problem[] {
  const known = new Set([...kept.map(({ current }) => current), ...removed].map(identityOf))
  return sent
    .filter((member) => !known.has(identityOf(member)))
    .filter(({ type, id }) => relation.related.get(type)?.type.id.hasFormat(id) === false)
    .map((member) => violation('This id does not have the required form.', `${member.pointer}/id`))
}

/** New members are held against the rules for creating, members that stay against those for updating. */
async function pivotProblems(
  { relation, mode, sent, kept }: LinkageChange,
  validation: LinkageValidation,
): Promise<readonly Problem[]> {
  const { spec } = relation
  if (mode === 'remove' || Object.keys(spec.pivot).length === 0) return []
  const { context, limit, unknownMembers } = validation
  const [onCreate, onUpdate] = [writablePivot(spec, 'create', context), writablePivot(spec, 'update', context)]
  const storedIn = pivotReading(spec, context)
  const joins = new Map(kept.map((member) => [member.sent, member.current.join ?? {}]))
  const problems: Problem[] = []
  for (const member of sent) {
    if (problems.length >= limit) break
    const join = joins.get(member) ?? null
    const rules =
      join === null
        ? ({ mode: 'create', writable: onCreate } as const)
        : ({ mode: 'update', writable: onUpdate } as const)
    if (unknownMembers === 'reject') problems.push(...unknownFieldProblems(relation, member, rules.writable, limit))
    const checked: Validation = { ...validation, ...rules, row: join, stored: storedIn(join) }
    problems.push(...(await attributeProblems(member.pivot, checked, `${member.pointer}/meta/pivot`)))
  }
  return problems
}

/** The rules of the relation itself hold for the members that it will have. */
async function setProblems(
  { relation, pointer: at, added, removed, resulting, unseen }: LinkageChange,
  validation: LinkageValidation,
): Promise<readonly Problem[]> {
  const { spec } = relation
  // Members that stay as they are say nothing new: who sends back what was read breaks no rule.
  if (validation.mode === 'update' && added.length === 0 && removed.length === 0) return []
  const members = [...resulting, ...unseen]
  const [first = null] = members
  const value = spec.traits.toMany ? members : first
  const isEmpty = members.length === 0
  if (isEmpty && isRequired(spec, value, validation) && !isNullable(spec, value, validation)) {
    return [violation(spec.traits.toMany ? 'This must not be empty.' : 'This must not be null.', at)]
  }
  if (value === null) return []
  const rules = rulesNow(spec, validation)
  const alone = { sibling: () => undefined, spec: linkageSpec }
  const violations = await ruleViolations(rules, value, { ...validation, ...alone })
  return violations.map(({ message }) => violation(message, at))
}

/** Linkage, as rules for attributes see it. */
const linkageSpec = attributeOf(listKind).spec

function isRequired(spec: RelationSpec, value: unknown, validation: LinkageValidation): boolean {
  return demands(rulesNow(spec, validation), 'required', value, validation)
}

function isNullable(spec: RelationSpec, value: unknown, validation: LinkageValidation): boolean {
  return demands(rulesNow(spec, validation), 'nullable', value, validation)
}

function rulesNow({ constraints }: RelationSpec, { mode }: LinkageValidation): RelationSpec['constraints'] {
  return constraints.filter(({ on }) => on === 'always' || on === mode)
}

function violation(message: string, at: string): Problem {
  return problem('VALIDATION_FAILED', { message }, { source: { pointer: at } })
}
