import { statementChapters } from '../../format/statements/statements.js'
import type { Report, ReportedFinding, ReportedStatement } from './report.js'

/** Returns a report in the XML of JUnit, which CI servers read: a suite for each chapter, a case for each statement. */
export function junitReport(report: Report): string {
  const suites = statementChapters
    .map(({ name, title }) => ({ name, title, cases: report.statements.filter(({ chapter }) => chapter === name) }))
    .filter(({ cases }) => cases.length > 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="ashlar verify ${escaped(report.url)}" ${totals(report.statements)} time="0">`,
    ...suites.flatMap(({ name, title, cases }) => [
      `  <testsuite name="${escaped(title)}" ${totals(cases)} skipped="${count(cases, 'not seen')}" time="0">`,
      ...cases.flatMap((each) => caseLines(each, name)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function totals(statements: readonly ReportedStatement[]): string {
  return `tests="${statements.length}" failures="${count(statements, 'failed')}" errors="0"`
}

function count(statements: readonly ReportedStatement[], outcome: ReportedStatement['outcome']): number {
  return statements.filter((each) => each.outcome === outcome).length
}

function caseLines(statement: ReportedStatement, chapter: string): readonly string[] {
  const { id, level, text, outcome, reason, findings } = statement
  const head = `    <testcase classname="jsonapi.${chapter}" name="${escaped(id)}" time="0"`
  const body = escaped([`[${level}] ${text}`, ...findings.map(findingText)].join('\n'))
  switch (outcome) {
    case 'passed':
      return [`${head}/>`]
    case 'not seen':
      return [`${head}>`, `      <skipped message="${escaped(reason ?? '')}"/>`, '    </testcase>']
    case 'warned':
      return [`${head}>`, `      <system-out>${body}</system-out>`, '    </testcase>']
    case 'failed': {
      const message = escaped(findings[0]?.problem ?? text)
      return [`${head}>`, `      <failure message="${message}" type="${level}">${body}</failure>`, '    </testcase>']
    }
  }
}

function findingText({ severity, problem, pointer, times, request }: ReportedFinding): string {
  const at = pointer === null || pointer === '' ? '' : `${pointer}: `
  return `${severity}: ${at}${problem} (seen: ${times})${request === null ? '' : `\n  ${request.curl}`}`
}

/** Returns whether XML 1.0 has a character, escaped or not. */
function isXmlCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  const isControl = code < 0x20 && ![0x09, 0x0a, 0x0d].includes(code)
  return !isControl && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
}

function escaped(text: string): string {
  return Array.from(text, (character) => (isXmlCharacter(character) ? character : '\uFFFD'))
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
