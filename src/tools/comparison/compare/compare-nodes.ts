import { isDeepStrictEqual } from 'node:util'
import type { Finding } from './change.js'
import type { ChangeCode } from '../kinds/change-kinds.js'
import type { Sides } from './contract-rule.js'
import { listDifference, quotedNames } from './contract-rule.js'
import { deprecationFindings } from './deprecation-findings.js'
import type { Role, RoleNodes } from '../model/contract.js'
import type { NodeKind, SchemaNode } from '../model/schema-node.js'
import { isResponse, isSent, rolesText } from './roles.js'
import type { ValueFinding } from './value-findings.js'
import { valueFindings } from './value-findings.js'

/** The location of nodes, for findings. */
export interface NodePlace {
  readonly sides: Sides
  readonly type: string | null
  /** The member of findings: `.title`, `?filter[title]`. */
  readonly member: string | null
  readonly operations: readonly string[]
  /** Returns the subject of a sentence: `The attribute 'title' of 'albums'`. */
  readonly subject: (kind: NodeKind, member: string | null) => string
}

/** Compares the members below two nodes, in all roles that both sides have. */
export function compareChildren(before: RoleNodes, after: RoleNodes, place: NodePlace): readonly Finding[] {
  const roles = rolesOf(before).filter((role) => after[role] !== undefined)
  const names = new Set(roles.flatMap((role) => [...childrenOf(before[role]), ...childrenOf(after[role])]))
  return [...names].flatMap((name) => {
    const at = { ...place, member: `${place.member ?? ''}${name}` }
    return compareNodes(pick(before, roles, name), pick(after, roles, name), at)
  })
}

/** Returns the nodes of the roles that both sides have. */
export function commonRoles(before: RoleNodes, after: RoleNodes): readonly [before: RoleNodes, after: RoleNodes] {
  const roles = rolesOf(before).filter((role) => after[role] !== undefined)
  return [withRoles(before, roles), withRoles(after, roles)]
}

function withRoles(nodes: RoleNodes, roles: readonly Role[]): RoleNodes {
  return Object.fromEntries(roles.map((role) => [role, nodes[role]]))
}

function rolesOf(nodes: RoleNodes): readonly Role[] {
  return Object.keys(nodes) as Role[]
}

function childrenOf(node: SchemaNode | undefined): Iterable<string> {
  return node?.children.keys() ?? []
}

function pick(nodes: RoleNodes, roles: readonly Role[], name: string): RoleNodes {
  const picked = roles.flatMap((role) => {
    const child = nodes[role]?.children.get(name)
    return child === undefined ? [] : [[role, child]]
  })
  return Object.fromEntries(picked) as RoleNodes
}

/** Compares a member of one or both sides. The children of a new or removed member are not listed. */
export function compareNodes(before: RoleNodes, after: RoleNodes, place: NodePlace): readonly Finding[] {
  const [old, newer] = [firstOf(before), firstOf(after)]
  const kind = (old ?? newer)?.kind ?? 'member'
  const finding = findingAt(place, kind)
  if (kind === 'variant') return [...variantFindings(before, after, finding), ...comparedInside(before, after, place)]
  if (newer === undefined) return [finding('member-removed', 'is gone.', deprecationIn(before))]
  if (old === undefined) {
    const roles = rolesOf(after).filter(isPresence)
    const required = roles.filter((role) => isSent(role) && after[role]?.isRequired === true)
    return required.length === 0
      ? [finding('member-added', `is new in ${rolesText(roles)}.`)]
      : [finding('member-required', `is new, and required in ${rolesText(required)}.`)]
  }
  const isText = rolesOf(before).some((role) => after[role] !== undefined && after[role].text !== before[role]?.text)
  return [
    ...presenceFindings(before, after, finding),
    ...deprecationFindings(deprecationIn(before), deprecationIn(after), (code, clause) => finding(code, clause)),
    ...(isText ? [finding('text-changed', 'is described in other words.')] : []),
    ...comparedInside(before, after, place),
  ]
}

function firstOf(nodes: RoleNodes): SchemaNode | undefined {
  return Object.values(nodes)[0]
}

/** Returns the deprecation of a field, which is the same in all roles. */
function deprecationIn(nodes: RoleNodes): SchemaNode['deprecation'] {
  return Object.values(nodes).find((node) => node.deprecation !== null)?.deprecation ?? null
}

type AddFinding = (code: ChangeCode, clause: string, deprecation?: Finding['deprecation']) => Finding

function findingAt({ type, member, operations, subject }: NodePlace, kind: NodeKind): AddFinding {
  return (code, clause, deprecation = null) => ({
    code,
    type,
    member,
    operations,
    sentence: `${subject(kind, member)} ${clause}`,
    deprecation,
  })
}

/** Returns whether a role is compared here. Relationship endpoints are compared as operations. */
function isPresence(role: Role): boolean {
  return role !== 'change'
}

/** Returns the roles that a member has gained or lost, and where it is required or not. */
function presenceFindings(before: RoleNodes, after: RoleNodes, finding: AddFinding): readonly Finding[] {
  const { added, removed } = listDifference(rolesOf(before).filter(isPresence), rolesOf(after).filter(isPresence))
  const [gained, lost] = [added as readonly Role[], removed as readonly Role[]]
  const deprecation = deprecationIn(before)
  const [unread, unsent] = [lost.filter(isResponse), lost.filter(isSent)]
  const [read, sent] = [gained.filter(isResponse), gained.filter(isSent)]
  const needed = sent.filter((role) => after[role]?.isRequired === true)
  const writable = sent.filter((role) => !needed.includes(role))
  return [
    ...(unread.length === 0 ? [] : [finding('member-not-shown', 'is gone from responses.', deprecation)]),
    ...(read.length === 0 ? [] : [finding('member-shown', 'is shown in responses.')]),
    ...(unsent.length === 0
      ? []
      : [finding('member-read-only', `can no longer be set in ${rolesText(unsent)}.`, deprecation)]),
    ...(writable.length === 0 ? [] : [finding('member-writable', `can be set in ${rolesText(writable)}.`)]),
    ...requiredFindings(before, after, { finding, needed }),
  ]
}

interface RequiredOptions {
  readonly finding: AddFinding
  /** The roles that are new, and in which the member is required. */
  readonly needed: readonly Role[]
}

function requiredFindings(
  before: RoleNodes,
  after: RoleNodes,
  { finding, needed }: RequiredOptions,
): readonly Finding[] {
  const changed = rolesOf(before).filter(
    (role) => isPresence(role) && after[role] !== undefined && after[role].isRequired !== before[role]?.isRequired,
  )
  const [must, may] = [
    changed.filter((role) => after[role]?.isRequired),
    changed.filter((role) => !after[role]?.isRequired),
  ]
  const [required, optional] = [[...needed, ...must.filter(isSent)], may.filter(isSent)]
  return [
    ...(required.length === 0 ? [] : [finding('member-required', `is required in ${rolesText(required)}.`)]),
    ...(optional.length === 0 ? [] : [finding('member-optional', `is no longer required in ${rolesText(optional)}.`)]),
    ...(must.some(isResponse) ? [finding('member-always-shown', 'is in every response.')] : []),
    ...(may.some(isResponse) ? [finding('member-not-always-shown', 'may be missing in responses.')] : []),
  ]
}

function variantFindings(before: RoleNodes, after: RoleNodes, finding: AddFinding): readonly Finding[] {
  const { added, removed } = listDifference(rolesOf(before), rolesOf(after))
  const [gained, lost] = [added as readonly Role[], removed as readonly Role[]]
  const found = (code: ChangeCode, words: string, roles: readonly Role[]): readonly Finding[] =>
    roles.length === 0 ? [] : [finding(code, `is ${words} ${rolesText(roles)}.`)]
  return [
    ...found('response-variant-added', 'new in', gained.filter(isResponse)),
    ...found('request-variant-added', 'new in', gained.filter(isSent)),
    ...found('response-variant-removed', 'gone from', lost.filter(isResponse)),
    ...found('request-variant-removed', 'gone from', lost.filter(isSent)),
  ]
}

/** Compares the values of a member, and the members below it, in the roles that both sides have. */
function comparedInside(before: RoleNodes, after: RoleNodes, place: NodePlace): readonly Finding[] {
  const [old, newer] = commonRoles(before, after)
  // Most nodes are equal, and need no further comparison.
  if (isDeepStrictEqual(old, newer)) return []
  const found = new Map<string, { readonly finding: ValueFinding; readonly roles: Role[] }>()
  const alike: Role[] = []
  for (const role of rolesOf(old)) {
    const findings = roleFindings(old[role], newer[role], role)
    for (const finding of findings) {
      const key = `${finding.code} ${finding.clause('')}`
      found.set(key, { finding, roles: [...(found.get(key)?.roles ?? []), role] })
    }
    // The children of a value with another type are not compared.
    if (!findings.some(({ code }) => code === 'value-type-changed' || code === 'relation-kind-changed')) {
      alike.push(role)
    }
  }
  const add = findingAt(place, firstOf(before)?.kind ?? 'member')
  return [
    ...[...found.values()].map(({ finding: { code, clause }, roles }) => add(code, clause(rolesText(roles)))),
    ...componentRenames(old, newer, place),
    ...compareChildren(withRoles(old, alike), withRoles(newer, alike), place),
  ]
}

function roleFindings(
  before: SchemaNode | undefined,
  after: SchemaNode | undefined,
  role: Role,
): readonly ValueFinding[] {
  return before === undefined || after === undefined ? [] : valueFindings(before, after, isResponse(role))
}

/** A component is renamed if the old name is gone and the new name is new. Otherwise another component is used. */
export function componentRenames(
  before: RoleNodes,
  after: RoleNodes,
  { sides, operations }: Pick<NodePlace, 'sides' | 'operations'>,
): readonly Finding[] {
  const names = rolesOf(before).flatMap((role) => {
    const [old, newer] = [before[role]?.component ?? null, after[role]?.component ?? null]
    if (old === null || newer === null || old === newer) return []
    return sides.after.components.has(old) || sides.before.components.has(newer) ? [] : [[old, newer] as const]
  })
  return names.map(([old, newer]) => ({
    code: 'component-renamed',
    type: null,
    member: null,
    operations,
    sentence: `The component ${quotedNames([old])} of the document is ${quotedNames([newer])} now.`,
  }))
}
