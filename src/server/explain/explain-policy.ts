import { describeCondition } from '../../serve/read/query/describe-condition.js'
import { permissionIn } from '../../serve/read/query/permission.js'
import { ruleCondition, scopeConditions } from '../../serve/read/query/scope-conditions.js'
import type { SoftDeleted } from '../../serve/read/query/soft-deleted.js'
import { softDeleteConditions } from '../../serve/read/query/soft-deleted.js'
import type { RequestServices } from '../../serve/read/read-context.js'
import { findRow } from '../../serve/read/rows/fetch-row.js'
import { requiredAbility } from '../../declare/resource/policy/abilities.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { Permission } from '../../declare/resource/policy/policy.js'
import { abilityNames, isOfLists } from '../../declare/resource/policy/policy.js'
import { RowCheck, RowRule } from '../../declare/resource/policy/rule-kit.js'
import type { RowCondition } from '../../declare/resource/querying/row-condition.js'
import type { OperationKind, RequestContext } from '../../declare/resource/request/request-context.js'
import { rowObject } from '../../core/rows/row-set.js'
import type { AccessExplanation, AccessQuestion } from './access-explanation.js'
import { AccessQuestionError } from './access-question-error.js'
import type { AccessField } from './explain-field.js'
import { findField, explainField, isFieldAbility, operationOfField } from './explain-field.js'
import type { Use } from './explain-use.js'
import { explainUse, isUse } from './explain-use.js'

/** Evaluates the policy of a type as for a request, and returns its decision with the reasons. Nothing is written. */
export async function explainPolicy(
  { as: caller, type, ability, field, relation, id, server = 'default' }: AccessQuestion,
  services: RequestServices,
): Promise<AccessExplanation> {
  const served = services.find(server, type)
  if (served === null) {
    const types = services.typeNames(server)
    const others = types.length === 0 ? 'There is no such server, or it has no types.' : `Types: ${types.join(', ')}.`
    throw new AccessQuestionError(`There is no type '${type}' on the server '${server}'. ${others}`)
  }
  const context = { server, type, caller, request: null }
  if (isUse(ability) && (field !== undefined || served.type.policy?.declares(ability) !== true)) {
    const question = { served, use: ability, key: field ?? null, relation: relationOf(served, ability, relation) }
    if (id !== undefined) throw aboutNoResource(ability, id)
    const inRequest: RequestContext = { ...context, operation: 'FetchResource' }
    const describe = (owner: ServedType, needed: string) => describeNeeded(owner, needed, inRequest)
    return explainUse(question, { services, context: inRequest, describe })
  }
  if (relation !== undefined) throw notAtRelation(relation)
  if (field !== undefined) {
    const target = fieldOf(served, field)
    if (!isFieldAbility(ability)) {
      throw new AccessQuestionError(
        `'${ability}' is not about a field: ask for 'view' or 'update' of '${target.label}'.`,
      )
    }
    checkQuestion(served, ability, id)
    const inRequest = { ...context, operation: operationOfField(target, ability) }
    return explainField(target, ability, (needed) => explainAbility(served, needed, id, inRequest), inRequest)
  }
  checkQuestion(served, ability, id)
  return explainAbility(served, ability, id, { ...context, operation: operationOf(ability) })
}

/** @param ability `null` if only the resource must be visible */
async function explainAbility(
  served: ServedType,
  ability: string | null,
  id: string | undefined,
  context: RequestContext,
): Promise<AccessExplanation> {
  if (ability === null) {
    const unseen = id === undefined ? null : await whyHidden({ served, id, context, trash: 'hidden' })
    return unseen === null ? permitted([]) : { permitted: false, status: 404, reasons: unseen }
  }
  const permission = permissionIn(served, ability, context)
  const decision = describeDecision(served, ability, permission, context)
  const denied = context.caller === null ? 401 : 403
  if (permission === false) return { permitted: false, status: denied, reasons: decision }
  if (id === undefined) return permitted([...decision, ...forNoRow(ability, permission)])

  const lookup: RowLookup = { served, id, context, trash: softDeleteActions.has(ability) ? 'shown' : 'hidden' }
  const hidden = await whyHidden(lookup)
  if (hidden !== null) return { permitted: false, status: 404, reasons: hidden }
  if (permission === true) return permitted(decision)
  const isMet = await meets(lookup, permission)
  const reasons = [...decision, isMet ? 'The row meets it.' : 'The row does not meet it.']
  return isMet ? permitted([...reasons, ...afterwards(ability, lookup)]) : { permitted: false, status: denied, reasons }
}

function fieldOf(served: ServedType, name: string): AccessField {
  const field = findField(served, name)
  if (field !== null) return field
  const { type, attributes } = served.type
  const names = [...attributes.map((attribute) => attribute.name), ...served.relations.keys()]
  throw new AccessQuestionError(`'${type}' has no field '${name}'. Fields: ${names.join(', ')}.`)
}

function relationOf(served: ServedType, use: Use, name: string | undefined): ServedRelation | null {
  if (name === undefined) return null
  if (use === 'include') throw notAtRelation(name)
  const relation = served.relations.get(name)
  if (relation !== undefined) return relation
  const known = [...served.relations.keys()].join(', ')
  throw new AccessQuestionError(`'${served.type.type}' has no relation '${name}'. Relations: ${known}.`)
}

function notAtRelation(name: string): AccessQuestionError {
  return new AccessQuestionError(`Only questions about filters and sorts have a relation: leave out '${name}'.`)
}

function aboutNoResource(ability: string, id: string): AccessQuestionError {
  return new AccessQuestionError(`'${ability}' is not about one resource: leave out the id '${id}'.`)
}

/** Describes the decision of a policy about the ability that a condition names. */
function describeNeeded(served: ServedType, ability: string, context: RequestContext): readonly string[] {
  const permission = permissionIn(served, ability, context)
  const decision = describeDecision(served, ability, permission, context)
  return typeof permission === 'boolean' ? decision : [...decision, 'A condition is not met by a rule about rows.']
}

function permitted(reasons: readonly string[]): AccessExplanation {
  return { permitted: true, status: null, reasons }
}

const softDeleteActions: ReadonlySet<string> = new Set(['restore', 'forceDelete'])

function checkQuestion(
  { type: { type, policy, actions }, provider }: ServedType,
  ability: string,
  id: string | undefined,
): void {
  const known = [...new Set([...abilityNames, ...(policy?.abilities ?? [])])].filter((name) => name !== 'updated')
  if (!known.includes(ability)) {
    const needed = actions.find(({ path }) => path === ability)?.ability
    if (typeof needed === 'string') {
      throw new AccessQuestionError(
        `'${ability}' is an action of '${type}' that needs the ability '${needed}': ask for it.`,
      )
    }
    throw new AccessQuestionError(`'${type}' has no ability '${ability}'. Abilities: ${known.join(', ')}.`)
  }
  if (id === undefined) return
  if (isOfLists(ability) || ability === 'create') {
    throw aboutNoResource(ability, id)
  }
  if (provider === null) throw new AccessQuestionError(`Resources of '${type}' are only referred to, and never read.`)
}

function operationOf(ability: string): OperationKind | 'CustomAction' {
  switch (ability) {
    case 'viewAny':
    case 'aggregate':
    case 'view':
      return 'FetchResource'
    case 'create':
      return 'CreateResource'
    case 'update':
      return 'UpdateResource'
    case 'delete':
      return 'DeleteResource'
    default:
      return 'CustomAction'
  }
}

/** Describes the decision of a policy for the caller, and names the member of the policy that decides. */
function describeDecision(
  served: ServedType,
  ability: string,
  permission: Permission,
  context: RequestContext,
): readonly string[] {
  const { type, policy, abilities, declaresAccess } = served.type
  if (policy === null) {
    return [`'${type}' ${declaresAccess ? 'is public' : 'has no policy'}: everybody may do everything.`]
  }
  if (ability === 'aggregate' && !policy.declares(ability)) {
    const instead = `policy.aggregate of ${policy.owner} is not declared: 'viewAny' decides.`
    return [instead, ...describeDecision(served, 'viewAny', permission, context)]
  }
  const required = requiredAbility(abilities, ability)
  if (required === null) return [`'abilities' of '${type}' requires no ability instead of '${ability}'.`]
  const replaced =
    required === ability ? [] : [`'abilities' of '${type}' requires '${required}' instead of '${ability}'.`]
  return [...replaced, describeAbility(served, required, permission, context)]
}

/** Describes the decision of one ability of a policy. */
function describeAbility(served: ServedType, ability: string, permission: Permission, context: RequestContext): string {
  const { type, policy } = served.type
  const owner = policy?.owner ?? `'${type}'`
  const before = policy?.before(context) ?? null
  if (before !== null) return `policy.before of ${owner} ${before ? 'permits' : 'denies'} this caller every ability.`
  const isUsual = (abilityNames as readonly string[]).includes(ability)
  const name = `policy.${isUsual ? '' : 'custom.'}${ability} of ${owner}`
  if (policy?.declares(ability) !== true) return `${name} is not declared, which denies it to everybody.`
  return `${name} ${describePermission(served, permission, context)}.`
}

function describePermission(served: ServedType, permission: Permission, context: RequestContext): string {
  if (permission instanceof RowCheck) return 'is a check() of single rows'
  if (permission instanceof RowRule)
    return `is a rule: ${describeCondition(ruleCondition(served, permission, context))}`
  return permission ? 'permits it' : 'denies it to this caller'
}

function forNoRow(ability: string, permission: Permission): readonly string[] {
  if (typeof permission === 'boolean') return []
  return [ability === 'create' ? 'The new row must meet it.' : 'Each row must meet it. Name an id to check one.']
}

/** Describes the rule that a row must meet after an update. */
function afterwards(ability: string, { served, context }: RowLookup): readonly string[] {
  const updated = ability === 'update' ? permissionIn(served, 'updated', context) : true
  if (updated === true) return []
  const rule = describePermission(served, updated, context)
  return [`After the change it must meet 'updated', which ${rule}.`]
}

/** The row of a question about access. */
interface RowLookup {
  readonly served: ServedType
  readonly id: string
  readonly context: RequestContext
  readonly trash: SoftDeleted
}

/** Returns the reasons why a row does not exist for the caller; `null` if it does. */
async function whyHidden(lookup: RowLookup): Promise<readonly string[] | null> {
  const { served, context, trash } = lookup
  if (await exists(lookup, scopeConditions(served, trash))) return null
  if (!(await exists(lookup, []))) return ['There is no row with this id.']
  if (!(await exists(lookup, softDeleteConditions(served.type, trash)))) return ['The row is deleted softly.']
  const view = served.type.policy?.permission('view', context) ?? true
  if (view !== false && (view === true || (await meets(lookup, view)))) {
    return [`The scope of '${served.type.type}' hides the row.`]
  }
  const outcome =
    view === false ? 'No row exists for this caller.' : 'The row does not meet it: for this caller it does not exist.'
  return [describeAbility(served, 'view', view, context), outcome]
}

async function meets(lookup: RowLookup, permission: Exclude<Permission, boolean>): Promise<boolean> {
  const { served, context } = lookup
  if (permission instanceof RowRule) return exists(lookup, [ruleCondition(served, permission, context)])
  const found = await findRow(served, lookup.id, { ...criteriaOf(context), conditions: [] })
  const [row] = found?.rows ?? []
  if (found === null || row === undefined) return false
  const write = { row: rowObject(found.columns, row) as never, incoming: null }
  // Anything but true denies: a function in JavaScript may return anything.
  const result: unknown = await permission.check(write, context)
  return result === true
}

async function exists({ served, id, context }: RowLookup, conditions: readonly RowCondition[]): Promise<boolean> {
  return (await findRow(served, id, { ...criteriaOf(context), conditions })) !== null
}

function criteriaOf(context: RequestContext) {
  return { columns: null, transaction: null, context } as const
}
