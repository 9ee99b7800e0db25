import type { Inspection, NamedFinding } from '../common/data-source.js'
import type { SqlFinding } from './finding.js'

/** The reasons why findings are waived, by the name of the finding. */
export type Waivers = Readonly<Record<string, string>>

/** Findings by severity, as in `Inspection`. */
export type SqlFindings = Readonly<Record<'missing' | 'unsound' | 'advice', readonly SqlFinding[]>>

/**
 * Returns the findings without those that are waived. A waiver that matches no finding is reported, unless it is about
 * a type that was not inspected: another server with the same store serves it.
 */
export function applyWaivers(
  findings: SqlFindings,
  waivers: Waivers,
  isInspected: (type: string) => boolean,
): Required<Inspection> {
  const found = [...findings.missing, ...findings.unsound, ...findings.advice]
  const reasonFor = (name: string): string | null => (Object.hasOwn(waivers, name) ? (waivers[name] ?? null) : null)
  const open = (list: readonly SqlFinding[]): readonly string[] => [
    ...new Set(list.filter(({ name }) => reasonFor(name) === null).map(({ sentence }) => sentence)),
  ]
  const names = new Set(found.map(({ name }) => name))
  const unneeded = Object.keys(waivers).filter((name) => !names.has(name) && isInspected(typeIn(name)))
  const named = new Map(
    found.map((each): [string, NamedFinding] => [each.sentence, { ...each, waivedFor: reasonFor(each.name) }]),
  )
  return {
    missing: open(findings.missing),
    unsound: [...open(findings.unsound), ...unneeded.map(unneededWaiver)],
    advice: open(findings.advice),
    named: [...named.values()],
  }
}

function unneededWaiver(name: string): string {
  return `The waiver '${name}' matches no finding: remove it from the option 'waive' of sqlData(), or correct its name.`
}

/** Returns the type that a finding is about: `albums` in `unique-index:albums.title`. */
function typeIn(name: string): string {
  return name.slice(name.indexOf(':') + 1).split('.')[0] ?? ''
}
