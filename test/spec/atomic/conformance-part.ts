import { rowOf } from '../jsonapi/conformance-row.js'
import type { StatementTest } from '../jsonapi/statement-tests.js'
import { sections } from './ledger.js'

/** Returns the part of the page about the extension. */
export function atomicPart(tests: readonly StatementTest[]): string {
  const parts = sections.map(({ title, of, address, ledger }) => {
    const rows = Object.entries(ledger).map(([id, statement]) => rowOf(id, statement, tests))
    return [
      `### ${title}\n\nSee [the section of the ${of}](${address}).\n`,
      '| Statement | Level | Status | What the text requires | What the server does |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n')
  })
  return `${opening}\n${parts.join('\n\n')}\n`
}

const opening = `## Atomic Operations

These are the statements of the [extension](https://jsonapi.org/ext/atomic/), for a server with \`atomic()\`. The extension publishes no
list of statements, so the ids and the wording are from this project. There is a statement for every MUST, SHOULD and MAY of the text, and
for the media type of extensions in the format.
`
