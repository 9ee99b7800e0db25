import type { NormativeStatement } from '../../src/format/statements/statement.js'
import { statementChapters } from '../../src/format/statements/statements.js'

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
      return 'never: it binds clients'
    case 'permission':
      return 'never: it permits something'
    case 'hidden':
      return /^[A-Z]/.test(needs) ? 'never: nobody sees the reason of a refusal' : `with ${needs}`
  }
}

const opening = `# The statements of ashlar verify

<!-- Written from src/format/statements by test/verify/statements.test.ts. Change them there. -->

The statements to which [\`ashlar verify\`](../guide/verify.md) holds a server, by the ids of the list that the format publishes. Its 188 statements are all
here. Statements of the text that the list lacks have ids of this project, and are marked. The words are those of 1.1; what 1.0 says otherwise is in
parentheses. A statement of 1.1 counts only for servers that declare this version in \`jsonapi.version\`.

**Seen** says what a run needs to judge a statement. What it has not seen is reported as not seen, with the reason.
`
