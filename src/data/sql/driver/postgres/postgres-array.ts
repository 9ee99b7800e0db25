/** A value of an array type: lists may hold lists. */
export type PostgresArray = readonly unknown[]

/**
 * Reads an array as PostgreSQL writes it: `{1,NULL,"a,b",{…}}`. Bounds that do not start at one, `[0:2]={…}`, are left out.
 *
 * @param readItem asked for every item that is not null
 */
export function readArray(text: string, readItem: (item: string) => unknown): PostgresArray {
  const from = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  const open: unknown[][] = []
  let outermost: unknown[] = []
  for (let at = from; at < text.length; ) {
    const letter = text[at]
    if (letter === '{') {
      const list: unknown[] = []
      const parent = open.at(-1)
      if (parent === undefined) outermost = list
      else parent.push(list)
      open.push(list)
      at += 1
    } else if (letter === '}') {
      open.pop()
      at += 1
    } else if (letter === ',') {
      at += 1
    } else {
      const { item, isQuoted, end } = letter === '"' ? quotedItem(text, at) : plainItem(text, at)
      open.at(-1)?.push(item === 'NULL' && !isQuoted ? null : readItem(item))
      at = end
    }
  }
  return outermost
}

interface FoundItem {
  readonly item: string
  readonly isQuoted: boolean
  /** Where what follows starts. */
  readonly end: number
}

function plainItem(text: string, from: number): FoundItem {
  let end = from
  while (end < text.length && text[end] !== ',' && text[end] !== '}') end += 1
  return { item: text.slice(from, end), isQuoted: false, end }
}

function quotedItem(text: string, from: number): FoundItem {
  let end = from + 1
  let isEscaped = false
  while (end < text.length && text[end] !== '"') {
    if (text[end] === '\\') isEscaped = true
    end += text[end] === '\\' ? 2 : 1
  }
  const written = text.slice(from + 1, end)
  return { item: isEscaped ? written.replaceAll(/\\(.)/gsu, '$1') : written, isQuoted: true, end: end + 1 }
}
