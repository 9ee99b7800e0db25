import type { ChangeCode } from '../kinds/change-kinds.js'
import { listDifference, quotedNames } from './contract-rule.js'
import type { SchemaNode } from '../model/schema-node.js'
import type { RuleRelation } from '../model/value-rules.js'
import type { ValueDifference } from './value-differences.js'
import { valueDifferences } from './value-differences.js'

/** The effect of a difference between values on clients that send or read them. */
export interface ValueFinding {
  readonly code: ChangeCode
  /** Returns the predicate of a sentence. @param roles where the values occur: `requests that create` */
  readonly clause: (roles: string) => string
}

/** Compares the values of a member in one role. A response may have fewer values than before, and a request more. */
export function valueFindings(before: SchemaNode, after: SchemaNode, isRead: boolean): readonly ValueFinding[] {
  return [
    ...linkageFindings(before, after, isRead),
    ...valueDifferences(before, after).flatMap((difference) => findingsOf(difference, isRead)),
  ]
}

type Clause = ValueFinding['clause']

function finding(code: ChangeCode, clause: Clause): ValueFinding {
  return { code, clause }
}

function findingsOf(difference: ValueDifference, isRead: boolean): readonly ValueFinding[] {
  switch (difference.kind) {
    case 'types':
      return [typeFinding(difference, isRead)]
    case 'null':
      return [nullFinding(difference.isAllowed, isRead)]
    case 'values':
      return listFindings(difference, isRead)
    case 'rule':
      return [ruleFinding(difference, isRead)]
  }
}

type Difference<Kind extends ValueDifference['kind']> = Extract<ValueDifference, { readonly kind: Kind }>

/** Returns whether clients may read unknown values, or may send values that are refused now. */
function isHarmful(relation: RuleRelation, isRead: boolean): boolean {
  return relation === 'other' || relation === (isRead ? 'looser' : 'tighter')
}

function typeFinding({ relation, before, after }: Difference<'types'>, isRead: boolean): ValueFinding {
  const clause: Clause = (roles) => `is ${after} instead of ${before} in ${roles}.`
  if (isHarmful(relation, isRead)) return finding('value-type-changed', clause)
  return finding(isRead ? 'response-rule-tightened' : 'request-rule-loosened', clause)
}

function nullFinding(isAllowed: boolean, isRead: boolean): ValueFinding {
  if (isRead) {
    return isAllowed
      ? finding('response-null-possible', (roles) => `may be null in ${roles}.`)
      : finding('response-null-gone', (roles) => `is never null in ${roles}.`)
  }
  return isAllowed
    ? finding('request-null-accepted', (roles) => `may be null in ${roles}.`)
    : finding('request-null-refused', (roles) => `cannot be null in ${roles}.`)
}

/** Returns a finding about some names; none without names. */
function namesFinding(names: readonly string[], code: ChangeCode, predicate: string): readonly ValueFinding[] {
  return names.length === 0 ? [] : [finding(code, (roles) => `${predicate} ${quotedNames(names)} in ${roles}.`)]
}

function listFindings({ added, removed }: Difference<'values'>, isRead: boolean): readonly ValueFinding[] {
  return [
    ...namesFinding(added, isRead ? 'response-value-added' : 'request-value-added', 'may be'),
    ...namesFinding(removed, isRead ? 'response-value-removed' : 'request-value-removed', 'can no longer be'),
  ]
}

const requestCodes: Readonly<Record<RuleRelation, ChangeCode>> = Object.freeze({
  same: 'request-rule-changed',
  tighter: 'request-rule-tightened',
  looser: 'request-rule-loosened',
  other: 'request-rule-changed',
})

const responseCodes: Readonly<Record<RuleRelation, ChangeCode>> = Object.freeze({
  same: 'response-rule-changed',
  tighter: 'response-rule-tightened',
  looser: 'response-rule-loosened',
  other: 'response-rule-changed',
})

function ruleFinding({ keyword, relation, before, after }: Difference<'rule'>, isRead: boolean): ValueFinding {
  if (keyword === 'default') {
    return finding('default-changed', () => `has the default ${after ?? 'none'} instead of ${before ?? 'none'}.`)
  }
  if (keyword === 'x-format' || (keyword === 'format' && relation === 'other')) {
    return finding(
      'value-form-changed',
      (roles) => `is written as ${after ?? 'text'} instead of ${before ?? 'text'} in ${roles}.`,
    )
  }
  const code = (isRead ? responseCodes : requestCodes)[relation]
  if (after === null) return finding(code, (roles) => `no longer has a rule in ${roles}: ${before}.`)
  if (before === null) return finding(code, (roles) => `has a new rule in ${roles}: ${after}.`)
  return finding(code, (roles) => `has another rule in ${roles}: ${after} instead of ${before}.`)
}

function linkageFindings(before: SchemaNode, after: SchemaNode, isRead: boolean): readonly ValueFinding[] {
  if (before.linkage === null || after.linkage === null) {
    return before.linkage === after.linkage ? [] : [finding('value-type-changed', () => changedRole(after))]
  }
  if (before.linkage.isMany !== after.linkage.isMany) {
    const [now, then] = after.linkage.isMany ? ['many', 'one'] : ['one', 'many']
    return [finding('relation-kind-changed', () => `is to-${now} instead of to-${then}.`)]
  }
  const { added, removed } = listDifference(before.linkage.targets, after.linkage.targets)
  return [
    ...namesFinding(added, isRead ? 'response-target-added' : 'request-target-added', 'may refer to'),
    ...namesFinding(removed, isRead ? 'response-target-removed' : 'request-target-removed', 'no longer refers to'),
  ]
}

/** An attribute may become a relation with the same name, or the reverse. */
function changedRole({ linkage }: SchemaNode): string {
  return linkage === null ? 'is an attribute instead of a relation.' : 'is a relation instead of an attribute.'
}
