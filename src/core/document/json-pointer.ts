/** Joins tokens into a JSON pointer (RFC 6901): `pointer('data', 'attributes', 'a/b')` is `/data/attributes/a~1b`. */
export function pointer(...tokens: readonly (string | number)[]): string {
  let text = ''
  for (const token of tokens) text += `/${typeof token === 'number' ? token : escaped(token)}`
  return text
}

/** Escapes a token. Most tokens have no special character, and the test is cheaper than two replacements. */
function escaped(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token
}
