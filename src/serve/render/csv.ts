import { json } from './json.js'

/** Begins a cell that spreadsheets run as a formula: https://owasp.org/www-community/attacks/CSV_Injection */
const formula = /^[=+\-@\t\r\n]/

/** A number is no formula, even if it begins with a sign. */
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** Needs quotes: https://www.rfc-editor.org/rfc/rfc4180#section-2 */
const quoted = /[",\r\n]|^\s|\s$/

/**
 * Writes a line of CSV. A missing value and `null` are empty; a list or an object is its JSON text.
 *
 * @param escapesFormulas whether a text that spreadsheets would run gets an apostrophe in front
 */
export function csvLine(values: readonly unknown[], escapesFormulas: boolean): string {
  let line = ''
  for (const value of values) line += `,${cell(value, escapesFormulas)}`
  return `${line.slice(1)}\r\n`
}

function cell(value: unknown, escapesFormulas: boolean): string {
  if (value === undefined || value === null) return ''
  const text =
    typeof value === 'string' ? value.toWellFormed() : typeof value === 'bigint' ? String(value) : json(value)
  const isRun = escapesFormulas && typeof value === 'string' && formula.test(text) && !number.test(text)
  const safe = isRun ? `'${text}` : text
  return quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
