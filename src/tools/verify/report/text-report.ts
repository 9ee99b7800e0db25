import { statementChapters } from '../../format/statements/statements.js'
import type { Report, ReportedFinding, ReportedStatement, StatementOutcome } from './report.js'

/** Colours a text by its meaning. */
export type ReportPaint = (style: 'bold' | 'red' | 'green' | 'yellow', text: string) => string

export interface TextSettings {
  readonly paint: ReportPaint
  /** Whether statements that hold, or were not seen, are listed too. */
  readonly all: boolean
}

/** Findings of one statement beyond this number are counted. */
const shownFindings = 3

/** Returns the lines of a readable report. */
export function textReport(report: Report, settings: TextSettings): readonly string[] {
  return [
    ...headLines(report),
    ...statementChapters.flatMap(({ name, title }) => chapterLines(title, name, report, settings)),
    ...listLines('Notes:', report.notes, settings),
    ...listLines('Could not be removed:', report.leftBehind, settings),
    '',
    summaryLine(report, settings),
  ]
}

function headLines({ url, version, types, requests, openapi, writes }: Report): readonly string[] {
  const declared = version === null ? 'declares no version of JSON:API' : `declares JSON:API ${version}`
  return [
    printable(`${url} ${declared}.`),
    printable(
      `${counted(types.length, 'type')}: ${types.join(', ')}. ${counted(requests, 'request')}, ${writes ? 'with writes' : 'read-only'}.`,
    ),
    openapi === null ? 'No OpenAPI document was found.' : `OpenAPI document: ${openapi}`,
  ]
}

function chapterLines(title: string, chapter: string, report: Report, settings: TextSettings): readonly string[] {
  const statements = report.statements.filter((each) => each.chapter === chapter)
  if (statements.length === 0) return []
  const shown = settings.all ? statements : statements.filter(({ findings }) => findings.length > 0)
  return [
    '',
    `${settings.paint('bold', title)}: ${countLine(statements)}`,
    ...shown.flatMap((statement) => statementLines(statement, settings)),
  ]
}

const outcomeTexts: Readonly<Record<StatementOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'with warnings',
  'not seen': 'not seen',
}

function countLine(statements: readonly ReportedStatement[]): string {
  return (['passed', 'failed', 'warned', 'not seen'] as const)
    .map((outcome) => [statements.filter((each) => each.outcome === outcome).length, outcomeTexts[outcome]] as const)
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text}`)
    .join(', ')
}

const labels = {
  passed: ['green', 'pass'],
  failed: ['red', 'FAIL'],
  warned: ['yellow', 'warn'],
  'not seen': ['bold', '-   '],
} as const

function statementLines(statement: ReportedStatement, { paint }: TextSettings): readonly string[] {
  const { id, level, text, outcome, reason, findings, observations } = statement
  const [style, label] = labels[outcome]
  const seen = outcome === 'passed' ? ` (seen ${observations} times)` : ''
  const shown = findings.slice(0, shownFindings)
  const rest = findings.length - shown.length
  return [
    `  ${paint(style, label)}  ${id} [${level}] ${text}${seen}`,
    ...(reason === null ? [] : [`          ${reason}`]),
    ...shown.flatMap(findingLines),
    ...(rest === 0 ? [] : [`        - and ${counted(rest, 'problem')} more, which --json has.`]),
  ]
}

function findingLines({ problem, pointer, times, request }: ReportedFinding): readonly string[] {
  const at = pointer === null || pointer === '' ? '' : `${pointer}: `
  const count = times === 1 ? '' : ` (${times} times)`
  const lines = [`        - ${at}${problem}${count}`, ...(request === null ? [] : [`          ${request.curl}`])]
  return lines.map(printable)
}

/** Replaces control characters in texts of the server, so that they do not reach the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
}

function listLines(title: string, items: readonly string[], { paint }: TextSettings): readonly string[] {
  return items.length === 0 ? [] : ['', paint('bold', title), ...items.map((item) => `  - ${printable(item)}`)]
}

function summaryLine({ counts }: Report, { paint }: TextSettings): string {
  const { passed, failed, warned, notSeen } = counts
  const verdict = failed > 0 ? paint('red', 'Failed') : paint('green', 'Passed')
  return `${verdict}: ${passed} statements passed, ${failed} failed, ${warned} with warnings, ${notSeen} not seen.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
