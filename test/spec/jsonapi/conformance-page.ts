import { chapters } from './chapters.js'
import type { PointedStatement } from './pointed-statement.js'
import type { ToldStatement } from './told-statements.js'

/** The ledgers for readers. */
export function conformancePage(told: readonly ToldStatement[]): string {
  const sections = chapters.map(({ title, anchor, ledger }) => {
    const heading = `## ${title}\n\n[The chapter](https://jsonapi.org/format/1.1/#${anchor}) of the format.`
    const lines = Object.entries(ledger).map(([id, statement]) => lineOf(id, statement, told))
    return [heading, '', '| Statement | Level | Stands | What the server does |', '|---|---|---|---|', ...lines].join(
      '\n',
    )
  })
  return `${opening}\n${sections.join('\n\n')}\n`
}

const opening = `# Conformance

<!-- Written from the ledgers in test/spec/jsonapi by their test. Change them there. -->

How the server stands to the statements of the [format](https://jsonapi.org/format/1.1/), one by one, by the ids of the format's own
list. The wording of that list is that of 1.0 in places; what counts is the text of 1.1, and what this service is specified to do.

- **tested**: tests hold the server to it. Every response of every test passes an examiner of documents besides.
- **client**: it binds clients; there is nothing for a server to do.
- **superseded**: the service does something else, and the remark says why.
`

function lineOf(id: string, { level, stands, says, note }: PointedStatement, told: readonly ToldStatement[]): string {
  const sentences = told.filter(({ ids }) => ids.includes(id)).map(({ sentence }) => sentence)
  const said = [...(says === undefined ? [] : [says]), ...sentences].map((sentence) => `${capital(sentence)}.`)
  return `| \`${id}\` | ${level} | ${stands} | ${[...said, ...(note === undefined ? [] : [`*${note}*`])].join(' ')} |`
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
