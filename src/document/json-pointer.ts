/** Joins tokens to a JSON pointer (RFC 6901): `pointer('data', 'attributes', 'a/b')` is `/data/attributes/a~1b`. */
export function pointer(...tokens: readonly (string | number)[]): string {
  let text = ''
  for (const token of tokens) text += `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return text
}
