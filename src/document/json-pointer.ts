/** Joins tokens to a JSON pointer (RFC 6901): `pointer('data', 'attributes', 'a/b')` is `/data/attributes/a~1b`. */
export function pointer(...tokens: readonly (string | number)[]): string {
  let text = ''
  for (const token of tokens) text += `/${typeof token === 'number' ? token : escaped(token)}`
  return text
}

/** Most tokens have nothing in them that means something in a pointer. */
function escaped(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token
}
