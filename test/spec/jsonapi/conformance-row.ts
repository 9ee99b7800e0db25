import type { PointedStatement } from './pointed-statement.js'
import type { ToldStatement } from './told-statements.js'

/** A statement as the row of a table: with what its text says, where the list of statements does not tell that. */
export function rowOf(
  id: string,
  { level, stands, states, says, note }: PointedStatement & { readonly states?: string },
  told: readonly ToldStatement[],
): string {
  const sentences = told.filter(({ ids }) => ids.includes(id)).map(({ sentence }) => sentence)
  const said = [...(says === undefined ? [] : [says]), ...sentences].map(written)
  const text = states === undefined ? '' : ` ${written(states)} |`
  return `| \`${id}\` | ${level} | ${stands} |${text} ${[...said, ...(note === undefined ? [] : [`*${note}*`])].join(' ')} |`
}

function written(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}
