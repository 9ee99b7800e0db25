import type { Change, Finding } from './compare/change.js'
import type { Severity } from './kinds/change-kinds.js'
import { changeKinds, severities } from './kinds/change-kinds.js'
import { contractRules } from './contract-rules.js'
import { mergeFindings } from './merge-findings.js'
import type { Contract } from './model/contract.js'
import type { StatedDeprecation } from './model/deprecation-of.js'

interface CompareOptions {
  /** The time of the change. Members whose sunset is earlier may be removed. */
  readonly now: Date
}

/** Returns the changes from one contract to another, the most severe first. */
export function compareContracts(before: Contract, after: Contract, { now }: CompareOptions): readonly Change[] {
  const found = contractRules.flatMap((rule) => rule({ before, after }))
  const findings = mergeFindings(found.map((finding) => withTypeDeprecation(finding, before)))
  const changes = findings.map((finding) => changeOf(finding, now))
  return changes.toSorted(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      compareTexts(a.type ?? '', b.type ?? '') ||
      compareTexts(a.place, b.place),
  )
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Adds the deprecation of the type to a finding about one of its members. */
function withTypeDeprecation(finding: Finding, { types }: Contract): Finding {
  const ofType = finding.type === null ? null : (types.get(finding.type)?.deprecation ?? null)
  return { ...finding, deprecation: earlierEnd(finding.deprecation ?? null, ofType) }
}

/** Returns the deprecation that ends first. */
function earlierEnd(one: StatedDeprecation | null, other: StatedDeprecation | null): StatedDeprecation | null {
  if (one === null || other === null) return one ?? other
  if (one.sunset === null || other.sunset === null) return one.sunset === null ? other : one
  return Date.parse(one.sunset) <= Date.parse(other.sunset) ? one : other
}

function changeOf(finding: Finding, now: Date): Change {
  const { code, type, operations, deprecation = null } = finding
  const { remedy = null, isRemoval = false } = changeKinds[code]
  const { severity, note, advice } =
    isRemoval && deprecation !== null
      ? afterDeprecation(deprecation, now)
      : asDeclared(changeKinds[code].severity, remedy)
  return {
    severity,
    code,
    place: placeOf(finding),
    type,
    operations,
    sentence: note === null ? finding.sentence : `${finding.sentence} ${note}`,
    remedy: advice,
  }
}

interface Verdict {
  readonly severity: Severity
  /** A sentence about the deprecation. */
  readonly note: string | null
  readonly advice: string | null
}

function asDeclared(severity: Severity, remedy: string | null): Verdict {
  return { severity, note: null, advice: severity === 'breaking' ? remedy : null }
}

/** A removal is safe after the sunset, and breaking before it. Without a sunset it is risky. */
function afterDeprecation({ sunset }: StatedDeprecation, now: Date): Verdict {
  if (sunset === null) return { severity: 'risky', note: 'It was deprecated, without a sunset.', advice: null }
  const day = sunset.slice(0, 10)
  if (Date.parse(sunset) <= now.getTime()) return { severity: 'safe', note: `Its sunset was ${day}.`, advice: null }
  return { severity: 'breaking', note: `Its sunset is ${day}.`, advice: `keep it until ${day}` }
}

/** Returns the location of a change as text. */
function placeOf({ type, member, operations }: Finding): string {
  const [operation, ...others] = operations
  const only = operation !== undefined && others.length === 0 ? operation : null
  if (member === null) return only ?? type ?? 'service'
  return `${type ?? only ?? 'service'}${/^[./?]/.test(member) ? '' : ' '}${member}`
}
