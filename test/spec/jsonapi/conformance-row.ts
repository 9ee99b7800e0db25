import type { PointedStatement } from './pointed-statement.js'
import type { StatementTest } from './statement-tests.js'

/** Returns the row of a statement. It has a column for the text of the statement if the ledger has the text. */
export function rowOf(
  id: string,
  { level, status, states, summary, note }: PointedStatement & { readonly states?: string },
  tests: readonly StatementTest[],
): string {
  const sentences = tests.filter(({ ids }) => ids.includes(id)).map(({ sentence }) => sentence)
  const texts = [...(summary === undefined ? [] : [summary]), ...sentences].map(written)
  const text = states === undefined ? '' : ` ${written(states)} |`
  return `| \`${id}\` | ${level} | ${status} |${text} ${[...texts, ...(note === undefined ? [] : [`*${note}*`])].join(' ')} |`
}

function written(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}
