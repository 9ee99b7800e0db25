/** A member of an object type in a declaration file. */
export interface TypeMember {
  readonly name: string
  /** The text of its type. Its further lines are not indented yet. */
  readonly type: string
  readonly isOptional?: boolean
  /** Its comment; empty for none. */
  readonly comment?: string
}

/** Returns the text of an object type, with one line for each member. */
export function objectType(members: readonly TypeMember[]): string {
  if (members.length === 0) return '{}'
  return `{\n${members.map((member) => `${indented(memberText(member))}\n`).join('')}}`
}

/** Returns the text of a member with its comment. */
function memberText({ name, type, isOptional = false, comment = '' }: TypeMember): string {
  return `${commentText(comment)}${keyText(name)}${isOptional ? '?' : ''}: ${type}`
}

/** Returns a documentation comment, with a line break at its end; an empty text for no comment. */
export function commentText(comment: string): string {
  if (comment === '') return ''
  const lines = comment.replaceAll('*/', '*\\/').split(/\r?\n/)
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** Returns a name as a key of an object type. */
export function keyText(name: string): string {
  return identifier.test(name) ? name : quoted(name)
}

/** Returns the type of one text. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped}'`
}

/** Returns the type of one value: a literal type, if there is one. */
export function literalType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
    case 'boolean':
      return String(value)
    default:
      return value === null ? 'null' : 'unknown'
  }
}

/** Returns a union of types without repetitions; `never` if there are none. */
export function unionType(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ')
}

/** Returns the union of the types of texts. */
export function textsType(texts: readonly string[]): string {
  return unionType(texts.map(quoted))
}

/** Returns the type of a list. A union is in parentheses. */
export function listType(item: string): string {
  return `readonly ${item.includes(' | ') ? `(${item})` : item}[]`
}
