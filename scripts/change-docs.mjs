// @ts-check
/** Writes the tables of docs/reference/contract-changes.md from the kinds of change in src/tools/comparison/kinds. */
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const start =
  '<!-- Written by scripts/change-docs.mjs from the kinds of change in src/tools/comparison/kinds. Change them there. -->'
const end = '<!-- End of the generated part. -->'

/**
 * @typedef {object} Kind
 * @property {string} severity
 * @property {string} when
 * @property {string} [remedy]
 *
 * @typedef {{ readonly title: string, readonly kinds: Readonly<Record<string, Kind>> }} Subject
 */

/** Returns the page with other tables. @param {string} page @param {readonly Subject[]} subjects */
export function withChangeTables(page, subjects) {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to === -1) throw new Error('docs/reference/contract-changes.md has no markers for the tables.')
  return `${page.slice(0, from)}${start}\n\n${subjects.map(tableOf).join('\n\n')}\n\n${page.slice(to)}`
}

/** @param {Subject} subject */
function tableOf({ title, kinds }) {
  const rows = Object.entries(kinds).map(([code, { severity, when, remedy }]) => {
    return `| \`${code}\` | ${severity} | ${when}${remedy === undefined ? '' : ` Instead: ${remedy}.`} |`
  })
  return [`## ${title}`, '', '| Code | Severity | When |', '|---|---|---|', ...rows].join('\n')
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const page = new URL('../docs/reference/contract-changes.md', import.meta.url)
  // Loaded here, because tests import this file for its function, and need no bundler.
  const { importSourceFile } = await import('./bundle.mjs')
  const { changeSubjects } = await importSourceFile('src/tools/comparison/kinds/change-kinds.ts')
  writeFileSync(page, withChangeTables(readFileSync(page, 'utf8'), changeSubjects))
}
