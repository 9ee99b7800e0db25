import { cursorCipher } from '../../src/declare/pagination/cursor-cipher.js'
import { cursorTokens } from '../../src/declare/pagination/cursor-token.js'

/** Reads and makes cursors like the servers of this process that have no secret. */
const cipher = cursorCipher([])

export const tokens = cursorTokens(cipher, () => undefined)

/** Returns a cursor with any content: genuine, but not one that a server makes. */
export const cursorWith = (content: string): string => cipher.encrypt(content)

/** Returns the content of a cursor as text. */
export function cursorContent(token: string): string {
  const content = cipher.decrypt(token)
  if (content === null) throw new Error(`'${token}' is not a cursor of this process.`)
  return content
}

/** Returns the names of the levels of an order in a cursor: the first one contains the types of the rows. */
export const levelsOf = (types: string, [first = '', ...others]: readonly string[]): readonly string[] => [
  `${types} ${first}`,
  ...others,
]
