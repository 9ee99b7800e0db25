/** The casing of the names of attributes, relations and types. */
export type Casing = 'camelCase' | 'snake_case' | 'kebab-case'

export const casings: readonly Casing[] = ['camelCase', 'snake_case', 'kebab-case']

/**
 * Splits the name of a table or a column into lower-case words: `Order Details`, `order_details`, `OrderDetails` and
 * `ORDER_DETAILS` have the same words. Characters that are neither letters nor digits separate words.
 */
export function wordsOf(name: string): readonly string[] {
  const isUpperCase = !/\p{Ll}/u.test(name)
  const spaced = isUpperCase
    ? name
    : name
        .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
        // `imageURLs` ends with an abbreviation in the plural, `HTTPServer` starts with an abbreviation.
        .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})(?!s?$)/gu, '$1 $2')
  return spaced
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

export function inCasing(words: readonly string[], casing: Casing): string {
  switch (casing) {
    case 'camelCase':
      return camelCased(words)
    case 'snake_case':
      return words.join('_')
    case 'kebab-case':
      return words.join('-')
  }
}

export function camelCased(words: readonly string[]): string {
  const [first = '', ...rest] = words
  return first + rest.map(capitalized).join('')
}

export function pascalCased(words: readonly string[]): string {
  return words.map(capitalized).join('')
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** Returns the words with the last one in the plural. */
export function pluralWords(words: readonly string[]): readonly string[] {
  const last = words.at(-1)
  return last === undefined ? words : [...words.slice(0, -1), plural(singular(last))]
}

/** Returns the words with the last one in the singular. */
export function singularWords(words: readonly string[]): readonly string[] {
  const last = words.at(-1)
  return last === undefined ? words : [...words.slice(0, -1), singular(last)]
}

/** Words that are the same in the singular and the plural, or have no plural. */
const unchanged: ReadonlySet<string> = new Set(
  'aircraft data deer equipment fish furniture hardware history information knowledge luggage media merchandise metadata money music news personnel progress research rice series sheep software species staff stuff traffic'.split(
    ' ',
  ),
)

const irregular: readonly (readonly [singular: string, plural: string])[] = [
  ['analysis', 'analyses'],
  ['axis', 'axes'],
  ['basis', 'bases'],
  ['child', 'children'],
  ['crisis', 'crises'],
  ['criterion', 'criteria'],
  ['foot', 'feet'],
  ['goose', 'geese'],
  ['half', 'halves'],
  ['index', 'indexes'],
  ['knife', 'knives'],
  ['leaf', 'leaves'],
  ['life', 'lives'],
  ['man', 'men'],
  ['matrix', 'matrices'],
  ['mouse', 'mice'],
  ['movie', 'movies'],
  ['person', 'people'],
  ['quiz', 'quizzes'],
  ['shelf', 'shelves'],
  ['thesis', 'theses'],
  ['tooth', 'teeth'],
  ['vertex', 'vertices'],
  ['wife', 'wives'],
  ['woman', 'women'],
  ['cookie', 'cookies'],
  ['calorie', 'calories'],
  ['hypothesis', 'hypotheses'],
  ['cache', 'caches'],
  ['house', 'houses'],
  ['release', 'releases'],
  ['course', 'courses'],
  ['lens', 'lenses'],
  ['bus', 'buses'],
  ['gas', 'gases'],
  ['canvas', 'canvases'],
  ['alias', 'aliases'],
  ['atlas', 'atlases'],
]

/** Matches participles, which have no plural: `archived`, `checked`. */
const participle = /[^e]ed$/

export function plural(word: string): string {
  if (unchanged.has(word) || (participle.test(word) && word.length > 4)) return word
  const known = irregular.find(([one]) => one === word)
  if (known !== undefined) return known[1]
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`
  if (/[^aeiou]o$/.test(word) && /(?:hero|echo|potato|tomato|veto|cargo)$/.test(word)) return `${word}es`
  return `${word}s`
}

export function singular(word: string): string {
  if (unchanged.has(word)) return word
  const known = irregular.find(([one, many]) => many === word || one === word)
  if (known !== undefined) return known[0]
  if (/(?:ss|us|is)$/.test(word) || word.length < 3) return word
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:sses|xes|zes|ches|shes|uses)$/.test(word)) return word.slice(0, -2)
  if (/(?:hero|echo|potato|tomato|veto|cargo)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}
