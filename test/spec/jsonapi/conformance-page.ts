import { atomicPart } from '../atomic/conformance-part.js'
import { chapters } from './chapters.js'
import { rowOf } from './conformance-row.js'
import type { ToldStatement } from './told-statements.js'

/** The tests of the statements of the format, and of those of the extension. */
export interface ToldTests {
  readonly format: readonly ToldStatement[]
  readonly atomic: readonly ToldStatement[]
}

/** The ledgers for readers. */
export function conformancePage({ format, atomic }: ToldTests): string {
  const sections = chapters.map(({ title, anchor, ledger }) => {
    const heading = `## ${title}\n\n[The chapter](https://jsonapi.org/format/1.1/#${anchor}) of the format.`
    const lines = Object.entries(ledger).map(([id, statement]) => rowOf(id, statement, format))
    return [heading, '', '| Statement | Level | Stands | What the server does |', '|---|---|---|---|', ...lines].join(
      '\n',
    )
  })
  return `${opening}\n${sections.join('\n\n')}\n\n${atomicPart(atomic)}`
}

const opening = `# Conformance

<!-- Written from the ledgers in test/spec/jsonapi and test/spec/atomic by a test. Change them there. -->

How the server stands to the statements of the [format](https://jsonapi.org/format/1.1/), one by one, by the ids of the format's own
list. The wording of that list is that of 1.0 in places; what counts is the text of 1.1, and what this service is specified to do.
After them come those of the extension for [atomic operations](#atomic-operations).

- **tested**: tests hold the server to it. Every response of every test passes an examiner of documents besides.
- **client**: it binds clients; there is nothing for a server to do.
- **superseded**: the service does something else, and the remark says why.
`
