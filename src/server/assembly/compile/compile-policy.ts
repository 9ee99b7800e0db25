import type { CompiledType, MemberFault } from '../../../declare/resource/compiled/compiled-type.js'
import { filterOf } from '../../../declare/resource/filters/filter-declaration.js'
import type { ValuedFilter } from '../../../declare/resource/filters/filter-spec.js'
import type {
  AbilityName,
  CompiledPolicy,
  Permission,
  Policy,
  WriteRule,
} from '../../../declare/resource/policy/policy.js'
import { abilityNames, isOfLists } from '../../../declare/resource/policy/policy.js'
import { callerKit, filterOfDecision, RowCheck, RowRule, ruleKit } from '../../../declare/resource/policy/rule-kit.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { OperationContext, type ResultKey, resultKey } from '../../../declare/resource/request/memoize-in-request.js'
import { ignoreRejection } from '../../../core/errors/ignore-rejection.js'

export interface PolicyCompilation {
  /** `null` if no policy is declared, or if every caller may do everything. */
  readonly policy: CompiledPolicy | null
  /** Whether the type declares who may do what: by a policy, or as public. */
  readonly isDeclared: boolean
  readonly faults: readonly MemberFault[]
}

/** The type or server that declares a policy. */
interface PolicyOwner {
  /** The name in sentences: `'albums'`, or `the server`. */
  readonly label: string
  /** Whether rules about rows are possible. The policy of a server is for types with different columns. */
  readonly hasRows: boolean
}

const remedy = "return an object with the abilities, or declare policy: 'public'"

/** The result for a type or server that declares no policy. */
export const noPolicy: PolicyCompilation = Object.freeze({ policy: null, isDeclared: false, faults: [] })

/** Compiles the policy of a type, or the default policy of a server. */
export function compilePolicy(owner: PolicyOwner, declared: unknown): PolicyCompilation {
  if (declared === undefined || declared === null) return noPolicy
  if (declared === 'public') return { policy: null, isDeclared: true, faults: [] }
  if (typeof declared !== 'function') return invalid('policy', 'is not a function', remedy)
  let policy: unknown
  try {
    policy = (declared as (kit: unknown) => unknown)(owner.hasRows ? ruleKit() : callerKit)
  } catch (thrown) {
    return invalid(
      'policy',
      `throws an error: ${thrown instanceof Error ? thrown.message : 'no Error'}`,
      'correct the function',
    )
  }
  ignoreRejection(policy)
  if (!isPlainObject(policy)) return invalid('policy', 'does not return an object', remedy)
  const faults = Object.entries(policy).flatMap(([name, rule]) => memberFaults(owner, name, rule))
  return { policy: compiled(owner, policy), isDeclared: true, faults }
}

/** A policy with a fault denies everything, in case the fault is ignored. */
const denyAll: CompiledPolicy = Object.freeze({
  owner: '',
  permission: () => false,
  declares: () => false,
  abilities: Object.freeze([]),
  rules: new Map(),
  before: () => false,
  isCheck: () => false,
  isAlways: () => false,
  isRowRule: () => false,
})

function invalid(member: string, problem: string, how: string): PolicyCompilation {
  return { policy: denyAll, isDeclared: true, faults: [{ member, problem, remedy: how }] }
}

function memberFaults(owner: PolicyOwner, name: string, rule: unknown): readonly MemberFault[] {
  const member = `policy.${name}`
  if (name === 'before') {
    return typeof rule === 'function' ? [] : [{ member, problem: 'is not a function', remedy: 'declare a function' }]
  }
  if (name === 'custom') return customFaults(owner, rule)
  if (!(abilityNames as readonly string[]).includes(name)) {
    return [{ member, problem: 'is not an ability', remedy: `use one of ${abilityNames.join(', ')}` }]
  }
  const problem = ruleProblem(owner, name as AbilityName, rule)
  if (problem === null) return []
  return [{ member, problem, remedy: ruleRemedy(owner) }]
}

function ruleRemedy({ hasRows }: PolicyOwner): string {
  return hasRows
    ? 'declare true, false, a rule of the kit, or a function that returns one'
    : 'declare true, false, signedIn() of the kit, or a function of the caller; rules about rows belong to the policy of a type'
}

function customFaults(owner: PolicyOwner, custom: unknown): readonly MemberFault[] {
  if (!isPlainObject(custom)) {
    return [{ member: 'policy.custom', problem: 'is not an object', remedy: 'declare an object of abilities' }]
  }
  return Object.entries(custom).flatMap(([name, rule]) => {
    const member = `policy.custom.${name}`
    if ((abilityNames as readonly string[]).includes(name)) {
      return [{ member, problem: 'has the name of a usual ability', remedy: `declare it as policy.${name}` }]
    }
    const problem = ruleProblem(owner, 'update', rule)
    return problem === null ? [] : [{ member, problem, remedy: ruleRemedy(owner) }]
  })
}

function ruleProblem({ hasRows }: PolicyOwner, ability: AbilityName, rule: unknown): string | null {
  if (!hasRows && (rule instanceof RowCheck || rule instanceof RowRule)) return noRowsOfServer
  if (rule instanceof RowCheck) {
    return filtersRows(ability) ? 'is a check() of single rows, but has to filter lists too' : null
  }
  if (rule instanceof RowRule) {
    if (isOfLists(ability)) return 'is a rule about rows, but is checked before rows are read'
    const [fault] = rule.spec.faults
    return fault === undefined ? null : fault.problem
  }
  return typeof rule === 'boolean' || typeof rule === 'function' ? null : 'is not a rule'
}

const noRowsOfServer = 'is a rule about rows, but the policy of a server is for types with different columns'

/** Returns whether an ability is checked without a row. */
function filtersRows(ability: AbilityName): boolean {
  return isOfLists(ability) || ability === 'view' || ability === 'updated'
}

interface CompiledAbility {
  readonly name: string
  readonly rule: WriteRule
  readonly key: ResultKey<Permission>
  /** Whether its function may return a rule about rows. */
  readonly allowsRule: boolean
}

function compiled(owner: PolicyOwner, { before, custom, ...usual }: Policy): CompiledPolicy {
  const rules = new Map<string, WriteRule>(Object.entries({ ...custom, ...usual }))
  const decision = resultKey<boolean | null>()
  // Each function of the policy runs once for each request. The results for lists are checked differently.
  const keys = new Map([...rules.values()].map((rule) => [rule, resultKey<Permission>()]))
  const abilities = new Map(
    [...rules].map(([name, rule]): [string, CompiledAbility] => {
      const isList = isOfLists(name)
      const key = (isList ? undefined : keys.get(rule)) ?? resultKey<Permission>()
      return [name, { name, rule, key, allowsRule: owner.hasRows && !isList }]
    }),
  )
  const decidedIn = (context: RequestContext): boolean | null => {
    if (before === undefined) return null
    const known = OperationContext.resultIn(context, decision)
    if (known !== undefined) return known
    return OperationContext.storeIn(context, decision, decidedBefore(owner, before(context)))
  }
  return Object.freeze<CompiledPolicy>({
    owner: owner.label,
    declares: (ability) => rules.has(ability),
    abilities: Object.freeze([...rules.keys()]),
    rules: new Map([...rules].flatMap(([name, rule]) => (rule instanceof RowRule ? [[name, rule]] : []))),
    before: decidedIn,
    isCheck: (ability) => rules.get(ability) instanceof RowCheck,
    isAlways: (ability) => before === undefined && rules.get(ability) === true,
    isRowRule: (ability) => {
      const rule = rules.get(ability)
      return rule instanceof RowRule || rule instanceof RowCheck
    },
    permission(name, context) {
      const ability = abilities.get(name)
      if (ability === undefined) return decidedIn(context) ?? false
      const known = OperationContext.resultIn(context, ability.key)
      if (known !== undefined) return known
      const decided = before === undefined ? null : decidedIn(context)
      return OperationContext.storeIn(context, ability.key, decided ?? permissionOf(owner, ability, context))
    },
  })
}

function decidedBefore({ label }: PolicyOwner, result: unknown): boolean | null {
  if (result === null || typeof result === 'boolean') return result
  ignoreRejection(result)
  throw new TypeError(`The policy of ${label} is not valid: 'before' returned neither a boolean nor null.`)
}

function permissionOf(
  { label, hasRows }: PolicyOwner,
  { name, rule, allowsRule }: CompiledAbility,
  context: RequestContext,
): Permission {
  const result: unknown = typeof rule === 'function' ? rule(context) : rule
  if (typeof result === 'boolean') return result
  if (result instanceof RowCheck && rule === result) return result
  if (result instanceof RowRule && allowsRule) {
    const [fault] = result.spec.faults
    if (fault === undefined) return result
    throw new TypeError(`The policy of ${label} is not valid: '${name}' ${fault.problem}.`)
  }
  ignoreRejection(result)
  const expected = hasRows ? 'neither a boolean nor a rule' : 'no boolean'
  throw new TypeError(`The policy of ${label} is not valid: '${name}' returned ${expected}.`)
}

/** Restricts a scope to the rows that the policy lets the caller see. */
export function withVisibility(scope: CompiledType['scope'], policy: CompiledPolicy | null): CompiledType['scope'] {
  if (policy === null || policy.isAlways('view')) return scope
  return (context) => {
    const permission = policy.permission('view', context)
    const visible = permission === true || permission instanceof RowCheck ? null : permission
    const declared = scope?.(context) ?? null
    if (visible === null) return declared
    if (declared === null) return visible === false ? noRow : visible
    const filters = { declared: declared.spec, visible: filterOfDecision(visible).spec }
    return { spec: filterOf({ kind: 'all', filters }, 'presence').spec, value: undefined }
  }
}

const noRow: ValuedFilter = Object.freeze({ spec: filterOfDecision(false).spec, value: undefined })
