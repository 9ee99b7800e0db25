/** A word, or several words that follow each other in this order: a phrase. */
export interface SearchTerm {
  /** Folded words, which consist of letters and digits only. Never empty. */
  readonly words: readonly string[]
  /** Whether the last word is the beginning of a word. */
  readonly isPrefix: boolean
}

/**
 * What a client searches for. A row matches if each required term is in one of the searched texts, and no excluded term is
 * in any of them. Without a term, no row matches.
 */
export interface SearchQuery {
  readonly required: readonly SearchTerm[]
  readonly excluded: readonly SearchTerm[]
}

/** The words of a query, all terms together. Each is looked up, and the rank tests each of them in each text. */
export const MAX_SEARCH_WORDS = 32

/** The characters of a word in a query. Databases do not index words that are much longer. */
export const MAX_SEARCH_WORD = 200

/** The characters of a text that are searched, from its beginning. The index of a database limits the size of a text. */
export const SEARCHED_CHARACTERS = 200_000

const separators = /[^\p{L}\p{Nd}]+/u

const ascii = /^[\0-\u007F]*$/

/**
 * Returns the words of a text as they are compared: sequences of letters and decimal digits, without case, and without the
 * accents of Latin letters. Each database has the same rules, in its own spelling.
 */
export function searchWords(text: string): readonly string[] {
  return folded(text)
    .split(separators)
    .filter((word) => word !== '')
}

function folded(text: string): string {
  const lower = text.toLowerCase()
  if (ascii.test(lower)) return lower
  const plain = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/([a-z])[\u0300-\u036F]+/g, '$1')
  // A sigma has another form at the end of a word.
  return plain.normalize('NFC').replaceAll('ς', 'σ')
}

/** A phrase in quotation marks, whose end may be missing, or a sequence of other characters. */
const term = /(-?)(?:"([^"]*)(?:"|$)(\*?)|([^\s"]+))/g

const quotationMarks = /[\u201C-\u201F\u00AB\u00BB\uFF02]/g

/**
 * Parses what a user writes: words, `"phrases"`, `-excluded` and `begin*`. Every text is valid: what has no letter and no digit
 * means nothing. Words that other characters join are a phrase: `AC/DC`.
 */
export function parseSearch(text: string): SearchQuery {
  const [required, excluded]: [SearchTerm[], SearchTerm[]] = [[], []]
  for (const [, minus, quoted, star, plain = ''] of text.replaceAll(quotationMarks, '"').matchAll(term)) {
    const words = searchWords(quoted ?? plain)
    if (words.length === 0) continue
    const isPrefix = quoted === undefined ? /[\p{L}\p{Nd}\p{M}]\*$/u.test(plain) : star === '*'
    const list = minus === '-' ? excluded : required
    list.push({ words, isPrefix })
  }
  return { required, excluded }
}

/** Returns the words of all terms. */
export function wordsOf({ required, excluded }: SearchQuery): readonly string[] {
  return [...required, ...excluded].flatMap(({ words }) => words)
}

/**
 * The number of a hit in a text of this length. It depends on nothing but the row: a rank that counted in how many other rows
 * a word occurs, as BM25 does, would show that there are rows which the caller may not see. Whole numbers are equal in each database.
 */
export const HIT: Readonly<Record<'base' | 'short' | 'offset', number>> = Object.freeze({
  base: 1000,
  short: 100_000,
  offset: 100,
})
