/**
 * Returns JSON data as YAML 1.2 in block style. Every text that a parser, also one of YAML 1.1, could take for another type is
 * in double quotes, as in JSON.
 */
export function yamlText(value: unknown): string {
  // As in JSON: without undefined members, and with the results of toJSON().
  return lines(JSON.parse(JSON.stringify(value)) as unknown).join('\n')
}

function lines(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['[]'] : value.flatMap(itemLines)
  if (typeof value !== 'object' || value === null) return [scalar(value)]
  const members = Object.entries(value)
  return members.length === 0 ? ['{}'] : members.flatMap(([name, member]) => memberLines(name, member))
}

function itemLines(item: unknown): readonly string[] {
  const [first = '', ...rest] = lines(item)
  return [`- ${first}`, ...rest.map(indented)]
}

function memberLines(name: string, member: unknown): readonly string[] {
  const text = scalar(name)
  return isNested(member) ? [`${text}:`, ...lines(member).map(indented)] : [`${text}: ${lines(member).join('')}`]
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function indented(line: string): string {
  return `  ${line}`
}

/** Plain texts begin with a letter or a slash, and contain no characters that could end them. */
const plain = /^[A-Za-z/][A-Za-z0-9 _./()'{}+-]*(?<! )$/
/** Words that YAML parsers take for booleans and null. */
const reserved = /^(?:true|false|yes|no|on|off|null|y|n)$/i

function scalar(value: unknown): string {
  return typeof value === 'string' && plain.test(value) && !reserved.test(value) ? value : JSON.stringify(value)
}
