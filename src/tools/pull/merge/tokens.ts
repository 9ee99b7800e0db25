/** A token of TypeScript. White space and comments are not tokens. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether there is a line break before the token. */
  readonly isFirstInLine: boolean
}

const skipped = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)+/y
const word = /[\p{ID_Start}_$#][\p{ID_Continue}$]*|\d[\w.]*/uy
const quoted = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y
const expression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const punctuation = /=>|\.\.\.|\?\.|\?\?|[=!]==?|[<>]=|&&|\|\||[^]/y

/** Splits TypeScript into tokens. Throws a `SyntaxError` if a template does not end. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  let position = 0
  while (position < source.length) {
    const gap = matched(skipped, source, position)
    const start = position + gap.length
    if (start >= source.length) break
    const text = tokenAt(source, start, tokens.at(-1)?.text)
    position = start + text.length
    tokens.push({ text, start, end: position, isFirstInLine: tokens.length === 0 || gap.includes('\n') })
  }
  return tokens
}

function tokenAt(source: string, start: number, before: string | undefined): string {
  if (source[start] === '`') return templateAt(source, start)
  // A slash starts a regular expression if the previous token cannot end a value.
  const isRegex =
    source[start] === '/' && (before === undefined || /^(?:[([{,;=:!&|?+*%~^<>-]|=>|return|&&|\|\||\?\?)$/.test(before))
  const kinds = isRegex ? [expression, punctuation] : [word, quoted, punctuation]
  return kinds.map((kind) => matched(kind, source, start)).find((text) => text !== '') ?? ''
}

function matched(pattern: RegExp, source: string, position: number): string {
  pattern.lastIndex = position
  return pattern.exec(source)?.[0] ?? ''
}

/** Returns a whole template, with the code in it. */
function templateAt(source: string, start: number): string {
  let position = start + 1
  while (position < source.length) {
    if (source[position] === '\\') position += 2
    else if (source[position] === '`') return source.slice(start, position + 1)
    else if (source.startsWith('${', position)) position = codeEnd(source, position + 2)
    else position++
  }
  throw new SyntaxError('A template literal is not closed.')
}

function codeEnd(source: string, start: number): number {
  let [position, depth] = [start, 0]
  while (position < source.length) {
    const text = source[position] === '`' ? templateAt(source, position) : matched(quoted, source, position)
    if (text !== '') position += text.length
    else if (source[position] === '}' && depth === 0) return position + 1
    else {
      depth += source[position] === '{' ? 1 : source[position] === '}' ? -1 : 0
      position++
    }
  }
  throw new SyntaxError('A template literal is not closed.')
}

/** Returns the position of the bracket that closes the one at a position. Throws a `SyntaxError` if there is none. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let position = open; position < tokens.length; position++) {
    const { text = '' } = tokens[position] ?? {}
    if (text === '(' || text === '[' || text === '{') depth++
    if (text === ')' || text === ']' || text === '}') depth--
    if (depth === 0) return position
  }
  throw new SyntaxError('A bracket is not closed.')
}

/**
 * Returns tokens as normalized text, which does not depend on the format: without line breaks, semicolons and trailing
 * commas, and with one kind of quotes.
 */
export function normalized(tokens: readonly Token[]): string {
  return tokens
    .filter(({ text }, index) => text !== ';' && !(text === ',' && /^(?:[)\]}]|)$/.test(tokens[index + 1]?.text ?? '')))
    .map(({ text }) => (/^['"]/.test(text) ? literal(text) : text))
    .join(' ')
}

function literal(text: string): string {
  const content = text.slice(1, -1).replaceAll(String.raw`\'`, "'").replaceAll(String.raw`\"`, '"')
  return `'${content}'`
}

/** Returns the name that a token has as the key of a member: `'unit-price'` and `"unit-price"` are `unit-price`. */
export function nameOf({ text }: Token): string {
  return /^['"]/.test(text) ? literal(text).slice(1, -1) : text
}
