import { cursorCipher } from '../../src/pagination/cursor-cipher.js'
import { cursorTokens } from '../../src/pagination/cursor-token.js'

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
