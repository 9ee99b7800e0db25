import { type Statement, statements } from './ledger.js'
import type { ToldStatement } from './told-statements.js'

const ledger: Readonly<Record<string, Statement>> = statements

/** The chapter's parts, by the tests that show them. */
const parts: readonly (readonly [title: string, prefix: RegExp])[] = [
  ['All writes', /^(?:create-support|modify-delete-support|crud-atomic)$/],
  ['Creating resources', /^create-/],
  ['Updating resources', /^update-(?!relationship-)/],
  [
    'Updating relationships',
    /^(?:respond-patch|patch-|post-|delete-to-many|updating-relationship-|update-relationship-)/,
  ],
  ['Deleting resources', /^delet/],
]

/** The ledger for readers. */
export function conformancePage(told: readonly ToldStatement[]): string {
  let left = Object.entries(ledger)
  const chapters = parts.map(([title, prefix]) => {
    const rows = left.filter(([id]) => prefix.test(id))
    left = left.filter((entry) => !rows.includes(entry))
    return `### ${title}\n\n${table(rows, told)}`
  })
  if (left.length > 0) throw new Error(`No part of the page shows ${left.map(([id]) => id).join(', ')}.`)
  return `${opening}\n${chapters.join('\n\n')}\n`
}

const opening = `# Conformance

<!-- Written from test/spec/jsonapi/ledger.ts by its test. Change it there. -->

How the server stands to the statements of the [format](https://jsonapi.org/format/1.1/), one by one, by the ids of the format's own
list. The wording of that list is that of 1.0 in places; what counts is the text of 1.1, and what this service is specified to do.

- **tested**: tests in [test/spec/jsonapi](../test/spec/jsonapi) hold the server to it, and the sentences are theirs.
- **client**: it binds clients; there is nothing for a server to do.
- **superseded**: the service does something else, and the remark says what.

## Creating, updating and deleting

[The chapter](https://jsonapi.org/format/1.1/#crud) of the format.
`

function table(rows: readonly (readonly [string, Statement])[], told: readonly ToldStatement[]): string {
  const lines = rows.map(([id, { level, stands, note }]) => {
    const sentences = told.filter(({ ids }) => ids.includes(id)).map(({ sentence }) => `${sentence}.`)
    const said = [...sentences.map(capital), ...(note === undefined ? [] : [`*${note}*`])]
    return `| \`${id}\` | ${level} | ${stands} | ${said.join(' ')} |`
  })
  return ['| Statement | Level | Stands | What the server does |', '|---|---|---|---|', ...lines].join('\n')
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
