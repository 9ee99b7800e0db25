/** A value of an array type. Arrays may be nested. */
export type PostgresArray = readonly unknown[]

/**
 * Parses an array as PostgreSQL writes it: `{1,NULL,"a,b",{…}}`. Bounds that do not start at one, `[0:2]={…}`, are
 * ignored.
 *
 * @param readItem called for every item that is not null
 */
export function readArray(text: string, readItem: (item: string) => unknown): PostgresArray {
  const from = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  const open: unknown[][] = []
  let outermost: unknown[] = []
  for (let at = from; at < text.length; ) {
    const character = text[at]
    if (character === '{') {
      const list: unknown[] = []
      const parent = open.at(-1)
      if (parent === undefined) outermost = list
      else parent.push(list)
      open.push(list)
      at += 1
    } else if (character === '}') {
      open.pop()
      at += 1
    } else if (character === ',') {
      at += 1
    } else {
      const { item, isQuoted, end } = character === '"' ? quotedItem(text, at) : plainItem(text, at)
      open.at(-1)?.push(item === 'NULL' && !isQuoted ? null : readItem(item))
      at = end
    }
  }
  return outermost
}

interface ParsedItem {
  readonly item: string
  readonly isQuoted: boolean
  /** The position after the item. */
  readonly end: number
}

function plainItem(text: string, from: number): ParsedItem {
  let end = from
  while (end < text.length && text[end] !== ',' && text[end] !== '}') end += 1
  return { item: text.slice(from, end), isQuoted: false, end }
}

function quotedItem(text: string, from: number): ParsedItem {
  let end = from + 1
  let isEscaped = false
  while (end < text.length && text[end] !== '"') {
    if (text[end] === '\\') isEscaped = true
    end += text[end] === '\\' ? 2 : 1
  }
  const content = text.slice(from + 1, end)
  return { item: isEscaped ? content.replaceAll(/\\(.)/gsu, '$1') : content, isQuoted: true, end: end + 1 }
}
