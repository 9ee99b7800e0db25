import { rowOf } from '../jsonapi/conformance-row.js'
import type { ToldStatement } from '../jsonapi/told-statements.js'
import { sections } from './ledger.js'

/** The ledger of the extension for readers. */
export function atomicPart(told: readonly ToldStatement[]): string {
  const parts = sections.map(({ title, of, address, ledger }) => {
    const rows = Object.entries(ledger).map(([id, statement]) => rowOf(id, statement, told))
    return [
      `### ${title}\n\n[The section](${address}) of the ${of}.\n`,
      '| Statement | Level | Stands | What the text says | What the server does |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n')
  })
  return `${opening}\n${parts.join('\n\n')}\n`
}

const opening = `## Atomic Operations

How a server with \`atomic()\` stands to the [text of the extension](https://jsonapi.org/ext/atomic/), one statement after the other.
The extension publishes no list of them: the ids are of this project, and the text is told in its words. There is a statement for
every MUST, SHOULD and MAY of the text, and for what the format says of the media type of extensions.
`
