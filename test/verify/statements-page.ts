import type { NormativeStatement } from '../../src/tools/format/statements/statement.js'
import { statementChapters } from '../../src/tools/format/statements/statements.js'

/** The table of statements for readers. */
export function statementsPage(): string {
  const sections = statementChapters.map(({ name, title, statements }) =>
    [
      `## ${title}`,
      '',
      `\`--only ${name}\``,
      '',
      '| Statement | Level | Seen | Text |',
      '|---|---|---|---|',
      ...Object.entries(statements).map(([id, statement]) => rowOf(id, statement)),
    ].join('\n'),
  )
  return `${opening}\n${sections.join('\n\n')}\n`
}

function rowOf(id: string, statement: NormativeStatement): string {
  const { level, text, since, source } = statement
  const marks = [
    ...(source === 'text' ? ['not in the list'] : []),
    ...(source === 'http' ? ['HTTP'] : []),
    ...(since === undefined ? [] : [`since ${since}`]),
  ]
  return `| \`${id}\` | ${level} | ${seenText(statement)} | ${text}${marks.length === 0 ? '' : ` *${marks.join(', ')}*`} |`
}

function seenText({ seen, needs = '' }: NormativeStatement): string {
  switch (seen) {
    case 'read':
      return 'always'
    case 'feature':
      return `with ${needs}`
    case 'write':
      return `with \`--write\` and ${needs}`
    case 'client':
      return 'never: it is about clients'
    case 'permission':
      return 'never: it permits something'
    case 'hidden':
      return /^[A-Z]/.test(needs) ? 'never: the reason of a refusal is not visible' : `with ${needs}`
  }
}

const opening = `# The statements of ashlar verify

<!-- Written from src/tools/format/statements by test/verify/statements.test.ts. Change them there. -->

Every statement that [\`ashlar verify\`](../guide/verify.md) checks, by its id in the published list of the specification. All 188 statements of the list are
here. Statements that the list lacks have an id of this project and the mark *not in the list*.

- The text is the text of 1.1. Differences of 1.0 are in parentheses.
- A statement *since 1.1* applies only to servers that declare this version in \`jsonapi.version\`.
- The column Seen has what a run needs to check a statement. Otherwise the statement is reported as not seen, with the reason.
`
