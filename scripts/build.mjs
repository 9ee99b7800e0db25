// @ts-check
/**
 * `npm run build`: empties dist/, type-checks src/, and writes the files of the package. The JavaScript is bundled, see
 * bundle.mjs. The compiler writes the declarations, one for each source file that an entry imports.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { bundle, entryNames } from './bundle.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
writeDeclarations()
removeUnreachable()
await bundle(dist)

function writeDeclarations() {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  try {
    execFileSync(execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
  } catch {
    // The compiler has printed the errors.
    exit(1)
  }
}

/** Removes the declarations that no entry imports. */
function removeUnreachable() {
  const reachable = new Set(entryNames.map((name) => join(dist, `${name}.d.ts`)))
  for (const file of reachable) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
      const imported = resolve(dirname(file), specifier).replace(/\.js$/, '.d.ts')
      if (existsSync(imported)) reachable.add(imported)
    }
  }
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && !reachable.has(file)) rmSync(file)
  }
  removeEmptyFolders(dist)
}

/** @param {string} folder */
function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
