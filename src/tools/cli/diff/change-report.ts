import type { Change } from '../../comparison/compare/change.js'
import type { Severity } from '../../comparison/kinds/change-kinds.js'
import { severities } from '../../comparison/kinds/change-kinds.js'
import { counted } from '../counted.js'
import type { Paint } from '../paint.js'
import type { SortedChanges } from './accepted-changes.js'

/** The comparison of two contracts. */
export interface Comparison extends SortedChanges {
  /** The names of the two sides. */
  readonly from: string
  readonly to: string
}

const colours = { breaking: 'red', risky: 'yellow', safe: 'green' } as const

/** Returns the changes as text, by severity and by type. */
export function textReport(comparison: Comparison, paint: Paint): string {
  const { open, accepted, unused } = comparison
  const sections = severities.flatMap((severity) => {
    const own = open.filter((change) => change.severity === severity)
    if (own.length === 0) return []
    const title = paint('bold', paint(colours[severity], titleOf(severity, own.length)))
    return [[title, ...groupLines(own, paint)].join('\n')]
  })
  const acceptedLines = accepted.map(({ reason, ...change }) => `  - ${lineOf(change)}\n    Accepted: ${reason}`)
  return [
    ...sections,
    ...(accepted.length === 0 ? [] : [[paint('bold', `Accepted: ${accepted.length}`), ...acceptedLines].join('\n')]),
    ...(unused.length === 0 ? [] : [unusedText(unused)]),
    summaryText(comparison),
  ].join('\n\n')
}

function titleOf(severity: Severity, count: number): string {
  return `${severity.charAt(0).toUpperCase()}${severity.slice(1)}: ${count}`
}

function groupLines(changes: readonly Change[], paint: Paint): readonly string[] {
  const types = [...new Set(changes.map(({ type }) => type))]
  return types.flatMap((type) => [
    `  ${paint('bold', type ?? 'the service')}`,
    ...changes.filter((change) => change.type === type).flatMap(changeLines),
  ])
}

function changeLines(change: Change): readonly string[] {
  return [`    - ${lineOf(change)}`, ...(change.remedy === null ? [] : [`      Remedy: ${change.remedy}.`])]
}

/** Returns a change with its code and its place, as lists of accepted changes contain them. */
function lineOf(change: Change): string {
  const operations = operationsText(change)
  return `${change.sentence}${operations === null ? '' : ` (${operations})`} [${change.code} ${change.place}]`
}

/** The maximum number of operations that are named. */
const NAMED_OPERATIONS = 3

/** Returns the operations of a change; `null` if its sentence or its place names them. */
function operationsText({ operations, sentence, place }: Change): string | null {
  const [first, ...others] = operations
  const isNamed = first === undefined || (others.length === 0 && (sentence.includes(first) || place === first))
  if (isNamed) return null
  const rest = operations.length - NAMED_OPERATIONS
  const named = operations.slice(0, NAMED_OPERATIONS).join(', ')
  return rest > 0 ? `${named} and ${counted(rest, 'other')}` : named
}

function unusedText(unused: readonly string[]): string {
  const lines = unused.map((entry) => `  - ${entry}`)
  return ['Accepted changes that no longer occur:', ...lines].join('\n')
}

/** Returns the last line: the number of changes. */
function summaryText({ open, accepted, from, to }: Comparison): string {
  const between = `from '${from}' to '${to}'`
  if (open.length + accepted.length === 0) return `No changes ${between}.`
  const counts = severities.flatMap((severity) => {
    const { length } = open.filter((change) => change.severity === severity)
    return length === 0 ? [] : [`${length} ${severity}`]
  })
  const all = [...counts, ...(accepted.length === 0 ? [] : [`${accepted.length} accepted`])]
  const listed = all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
  return `${listed} change${open.length + accepted.length === 1 ? '' : 's'} ${between}.`
}

/** Returns the changes as Markdown, for a comment on a pull request. */
export function markdownReport(comparison: Comparison): string {
  const { open, accepted, unused } = comparison
  const sections = severities.flatMap((severity) => {
    const own = open.filter((change) => change.severity === severity)
    if (own.length === 0) return []
    return [`### ${titleOf(severity, own.length)}`, own.map(markdownItem).join('\n')]
  })
  return [
    ...sections,
    ...(accepted.length === 0
      ? []
      : [
          `### Accepted: ${accepted.length}`,
          accepted
            .map((change) => `${markdownItem({ ...change, remedy: null })}\n  Accepted: ${prose(change.reason)}`)
            .join('\n'),
        ]),
    ...(unused.length === 0 ? [] : [prose(unusedText(unused)).replaceAll('\n  -', '\n\n-')]),
    prose(summaryText(comparison)),
  ].join('\n\n')
}

function markdownItem(change: Change): string {
  const operations = operationsText(change)
  const remedy = change.remedy === null ? '' : `\n  *Remedy:* ${prose(change.remedy)}.`
  return `- ${prose(change.sentence)}${operations === null ? '' : ` (${prose(operations)})`} \`${change.code} ${change.place}\`${remedy}`
}

/** Escapes characters that are markup in Markdown. */
function prose(text: string): string {
  return text.replaceAll(/[\\`*_<>[\]|]/g, String.raw`\$&`)
}
