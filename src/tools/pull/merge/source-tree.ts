import { closing, nameOf, normalized, type Token, tokensOf } from './tokens.js'

/** A part of a source file that is merged separately: a statement, a member, or a call of a chain. */
export interface Part {
  readonly key: string
  readonly start: number
  readonly end: number
  /** The code in a normalized format, for comparisons. */
  readonly content: string
  /** Its parts; null if it is merged as a whole. */
  readonly inner: PartList | null
}

/** Parts of one statement or expression, in order. Their keys are unique. */
export interface PartList {
  readonly kind: 'statements' | 'members' | 'lines' | 'calls'
  readonly parts: readonly Part[]
  /** Everything around the parts, which must be the same in all versions. */
  readonly frame: string
  /** The position at which the first part can be inserted. */
  readonly open: number
}

/**
 * Reads the statements of a module. It is not a complete parser of TypeScript: it only handles brackets and the forms of declarations.
 * A keyword at the start of a line starts a statement.
 *
 * @throws a `SyntaxError` if brackets do not match
 */
export function sourceTree(source: string): PartList {
  const tokens = tokensOf(source)
  const groups: Token[][] = []
  for (let position = 0; position < tokens.length; position++) {
    const token = tokens[position]
    if (token === undefined) break
    const isStart = token.isFirstInLine && statementWord.test(token.text)
    if (isStart || groups.length === 0) groups.push([])
    const isOpen = token.text === '(' || token.text === '[' || token.text === '{'
    const end = isOpen ? closing(tokens, position) : position
    groups.at(-1)?.push(...tokens.slice(position, end + 1))
    position = end
  }
  return { kind: 'statements', parts: distinct(groups.map(statement)), frame: '', open: 0 }
}

const statementWord =
  /^(?:import|export|const|let|var|function|async|interface|type|class|enum|declare|abstract|await|try|if|for)$/

/** Numbers parts with the same key: `describedAs`, `describedAs 2`. */
function distinct(parts: readonly Part[]): readonly Part[] {
  const counts = new Map<string, number>()
  return parts.map((each) => {
    const count = (counts.get(each.key) ?? 0) + 1
    counts.set(each.key, count)
    return count === 1 ? each : { ...each, key: `${each.key} ${count}` }
  })
}

function part(key: string, tokens: readonly Token[], inner: PartList | null): Part {
  const [first, last] = [tokens[0], tokens.at(-1)]
  return { key, start: first?.start ?? 0, end: last?.end ?? 0, content: normalized(tokens), inner }
}

function statement(tokens: readonly Token[]): Part {
  const ended = tokens.at(-1)?.text === ';' ? tokens.slice(0, -1) : tokens
  const words = ended.map(({ text }) => text)
  const at = words[0] === 'export' ? 1 : 0
  const [word = '', name = ''] = words.slice(at)
  const brace = words.indexOf('{')
  if (words[0] === 'import') {
    const specifier = ended.at(-1)
    const names = brace === -1 ? null : list('members', ended, brace)
    return part(`import ${specifier === undefined ? '' : nameOf(specifier)}`, ended, names)
  }
  if (word === 'interface' && brace !== -1) return part(`interface ${name}`, ended, list('lines', ended, brace))
  if (word === 'const') {
    const equals = words.indexOf('=')
    return part(`const ${name}`, ended, equals === -1 ? null : valueParts(ended, equals + 1))
  }
  return part(words.slice(0, at + 2).join(' '), ended, null)
}

/** Returns the parts between braces, with everything outside of them as the frame. */
function list(kind: 'members' | 'lines', tokens: readonly Token[], open: number): PartList {
  const close = closing(tokens, open)
  const groups = split(tokens.slice(open + 1, close), kind)
  return {
    kind,
    parts: distinct(groups.map(member)),
    frame: `${normalized(tokens.slice(0, open + 1))} … ${normalized(tokens.slice(close))}`,
    open: tokens[open]?.end ?? 0,
  }
}

function split(tokens: readonly Token[], kind: 'members' | 'lines'): readonly (readonly Token[])[] {
  const groups: Token[][] = [[]]
  for (let position = 0; position < tokens.length; position++) {
    const token = tokens[position]
    if (token === undefined) break
    const isEnd = token.text === ',' || (kind === 'lines' && token.text === ';')
    const isNext = kind === 'lines' && token.isFirstInLine && /^['"\p{ID_Start}_$]/u.test(token.text)
    if (isEnd || isNext) groups.push([])
    if (isEnd) continue
    const isOpen = token.text === '(' || token.text === '[' || token.text === '{'
    const end = isOpen ? closing(tokens, position) : position
    groups.at(-1)?.push(...tokens.slice(position, end + 1))
    position = end
  }
  return groups.filter((group) => group.length > 0)
}

/** A member of an object or a type, a name of an import, or a method. */
function member(tokens: readonly Token[]): Part {
  const [first, second] = tokens
  if (first === undefined) return part('', tokens, null)
  // `type AlbumRow` in an import.
  if (first.text === 'type' && second !== undefined && tokens.length === 2) return part(nameOf(second), tokens, null)
  if (second?.text !== ':') return part(first.text === '...' ? normalized(tokens) : nameOf(first), tokens, null)
  return part(nameOf(first), tokens, valueParts(tokens, 2))
}

/** Returns the parts of a value: the members of an object, also one that a function returns, or the calls of a chain. */
function valueParts(tokens: readonly Token[], from: number): PartList | null {
  const words = tokens.map(({ text }) => text)
  const end = tokens.length - 1
  if (words[from] === '{' && closing(tokens, from) === end) return list('members', tokens, from)
  const arrow = words.indexOf('=>', from)
  const isPlainArrow = arrow !== -1 && !words.slice(from, arrow).includes('.') && words[arrow + 1] === '('
  if (isPlainArrow && words[arrow + 2] === '{' && closing(tokens, arrow + 1) === end) {
    return list('members', tokens, arrow + 2)
  }
  return chainParts(tokens, from)
}

/** `table('albums', { … })` has the members of its last argument; `a.string().required()` has calls. */
function chainParts(tokens: readonly Token[], from: number): PartList | null {
  const calls: Part[] = []
  let position = from
  while (position < tokens.length) {
    const start = position
    while (tokens[position] !== undefined && tokens[position]?.text !== '(') {
      if (!/^(?:[\p{ID_Start}_$][\p{ID_Continue}$]*|[.<>])$/u.test(tokens[position]?.text ?? '')) return null
      position++
    }
    if (tokens[position] === undefined) return null
    const close = closing(tokens, position)
    const isFirst = start === from
    const name = tokens.slice(isFirst ? start : start + 1, position)
    if (!isFirst && tokens[start]?.text !== '.') return null
    // The head of an attribute is `a.string()`: another kind is another head.
    calls.push(part(isFirst ? '' : normalized(name), tokens.slice(start, close + 1), null))
    position = close + 1
  }
  const [only, ...others] = calls
  if (only === undefined) return null
  const members = others.length === 0 ? objectArgument(tokens, from) : null
  if (members !== null) return members
  return { kind: 'calls', parts: distinct(calls), frame: normalized(tokens.slice(0, from)), open: only.end }
}

function objectArgument(tokens: readonly Token[], from: number): PartList | null {
  const end = tokens.length - 1
  const open = tokens.findIndex((token, index) => {
    return index > from && token.text === '{' && /^[(,]$/.test(tokens[index - 1]?.text ?? '')
  })
  if (open === -1) return null
  const rest = tokens.slice(closing(tokens, open) + 1, end + 1).filter(({ text }) => text !== ',')
  return rest.length === 1 ? list('members', tokens, open) : null
}
