/** A token of an expression or a statement of SQL. Names are in quotes in the text, words are not. */
export type Token = { readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign'; readonly value: string }

const scanner =
  /\s+|--[^\n]*|\/\*[^]*?\*\/|(?<name>"(?:[^"]|"")*"|\[[^\]]*\]|`[^`]*`)|(?<text>'(?:[^']|'')*')|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<sign>::|<=|>=|<>|!=|=|<|>|[()[\],.+*/|-]|.)/giuy

/** Returns the tokens of a text, without spaces and comments. Brackets behind a word enclose the items of an array, others quote a name. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const { groups = {} } of text.matchAll(scanner)) {
    const { name, text: quoted, number, word, sign } = groups
    if (name !== undefined && name.startsWith('[') && tokens.at(-1)?.kind === 'word')
      tokens.push({ kind: 'sign', value: '[' }, ...tokensOf(name.slice(1, -1)), { kind: 'sign', value: ']' })
    else if (name !== undefined) tokens.push({ kind: 'name', value: name.slice(1, -1).replaceAll('""', '"') })
    else if (quoted !== undefined) tokens.push({ kind: 'text', value: quoted.slice(1, -1).replaceAll("''", "'") })
    else if (number !== undefined) tokens.push({ kind: 'number', value: number })
    else if (word !== undefined) tokens.push({ kind: 'word', value: word })
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign })
  }
  return tokens
}

export function isSign(token: Token | undefined, value: string): boolean {
  return token?.kind === 'sign' && token.value === value
}

export function isWord(token: Token | undefined, value: string): boolean {
  return token?.kind === 'word' && token.value.toLowerCase() === value
}

/** Returns the parts that `and` joins, without the parentheses around them. The `and` of `between` is not a join. */
export function conjuncts(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const bare = unwrapped(tokens)
  const parts: Token[][] = [[]]
  let [depth, isBetween] = [0, false]
  for (const token of bare) {
    if (isSign(token, '(') || isSign(token, '[')) depth++
    if (isSign(token, ')') || isSign(token, ']')) depth--
    if (depth === 0 && isWord(token, 'or')) return []
    if (depth === 0 && isWord(token, 'between')) isBetween = true
    if (depth === 0 && isWord(token, 'and') && !isBetween) {
      parts.push([])
      continue
    }
    if (depth === 0 && isWord(token, 'and')) isBetween = false
    parts.at(-1)?.push(token)
  }
  return parts.length === 1 ? parts : parts.flatMap(conjuncts)
}

/** Returns tokens without the parentheses around all of them. */
export function unwrapped(tokens: readonly Token[]): readonly Token[] {
  if (!isSign(tokens[0], '(')) return tokens
  let depth = 0
  const end = tokens.findIndex((token) => {
    if (isSign(token, '(')) depth++
    if (isSign(token, ')')) depth--
    return depth === 0
  })
  return end === tokens.length - 1 ? unwrapped(tokens.slice(1, -1)) : tokens
}
