import { atomicPart } from '../atomic/conformance-part.js'
import { chapters } from './chapters.js'
import { rowOf } from './conformance-row.js'
import type { StatementTest } from './statement-tests.js'

/** The tests of the statements of the format and of the extension. */
export interface LedgerTests {
  readonly format: readonly StatementTest[]
  readonly atomic: readonly StatementTest[]
}

/** Returns the page that shows the ledgers. */
export function conformancePage({ format, atomic }: LedgerTests): string {
  const sections = chapters.map(({ title, anchor, ledger }) => {
    const heading = `## ${title}\n\nSee [the chapter of the format](https://jsonapi.org/format/1.1/#${anchor}).`
    const lines = Object.entries(ledger).map(([id, statement]) => rowOf(id, statement, format))
    return [heading, '', '| Statement | Level | Status | What the server does |', '|---|---|---|---|', ...lines].join(
      '\n',
    )
  })
  return `${opening}\n${sections.join('\n\n')}\n\n${atomicPart(atomic)}`
}

const opening = `# Conformance

<!-- A test writes this page from the ledgers in test/spec/jsonapi and test/spec/atomic. Change the texts there. -->

This page lists every normative statement of the [JSON:API format](https://jsonapi.org/format/1.1/) and of its extension
[Atomic Operations](#atomic-operations), with what the server does. Run \`ashlar verify\` to test a running server: see
[Verify a server](../guide/verify.md).

The ids are from the list that the format publishes. That list has the wording of 1.0 in places. The server follows the text of 1.1.

| Status | Meaning |
|---|---|
| tested | Tests check that the server follows the statement. A validator also checks every document that the server returns in a test. |
| client | The statement applies to clients only. |
| superseded | The service does something else. The remark in italics has the reason. |
`
