/** Returns a text as a TypeScript literal in single quotes. */
export function textLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)
  return text.includes("'") && !text.includes('"') ? JSON.stringify(text) : `'${escaped}'`
}

export function listLiteral(texts: readonly string[]): string {
  return `[${texts.map(textLiteral).join(', ')}]`
}

const identifier = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u

/** Returns a name as the key of an object or a type. */
export function propertyKey(name: string): string {
  return identifier.test(name) ? name : textLiteral(name)
}

/** Returns an expression that reads a member: `row.title`, `row['unit-price']`. */
export function memberOf(value: string, name: string): string {
  return identifier.test(name) ? `${value}.${name}` : `${value}[${textLiteral(name)}]`
}

/** Reserved words of TypeScript, and the names that declarations import. */
const taken: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally
  for function if implements import in instanceof interface let new null package private protected public return static super
  switch this throw true try typeof undefined var void while with yield Buffer
  id table defineResource belongsTo belongsToMany hasMany hasOne morphTo`.split(/\s+/),
)

/** Returns a valid name of a variable. */
export function variableName(name: string): string {
  const valid = identifier.test(name) ? name : `_${name.replaceAll(/[^\p{ID_Continue}$]/gu, '_')}`
  return taken.has(valid) ? `${valid}Type` : valid
}
