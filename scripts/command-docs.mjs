// @ts-check
/** Writes the reference of docs/reference/command-line.md from the declarations of the commands in src/tools/cli/commands. */
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const start =
  '<!-- Written by scripts/command-docs.mjs from the declarations in src/tools/cli/commands. Change it there. -->'
const end = '<!-- End of the generated part. -->'

/** Returns the page with another reference. @param {string} page @param {string} reference */
export function withReference(page, reference) {
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from === -1 || to === -1) throw new Error('docs/reference/command-line.md has no markers for the reference.')
  return `${page.slice(0, from)}${start}\n\n${reference}\n\n${page.slice(to)}`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const page = new URL('../docs/reference/command-line.md', import.meta.url)
  // Loaded here, because tests import this file for its function, and need no bundler.
  const { importSourceFile } = await import('./bundle.mjs')
  const { commands } = await importSourceFile('src/tools/cli/commands.ts')
  const { referenceText } = await importSourceFile('src/tools/cli/reference-text.ts')
  writeFileSync(page, withReference(readFileSync(page, 'utf8'), referenceText(commands)))
}
