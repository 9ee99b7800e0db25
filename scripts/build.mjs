// @ts-check
/**
 * `npm run build`: empties the `dist` of each package, type-checks src/, and writes the files of the packages. The JavaScript is bundled, see
 * bundle.mjs. The compiler writes the declarations, one for each source file that an entry imports.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { packages } from './packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

for (const { folder } of packages) rmSync(join(root, folder, 'dist'), { recursive: true, force: true })
const declarations = mkdtempSync(join(root, 'node_modules/.declarations-'))
const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
const { status } = spawnSync(execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', declarations], {
  stdio: 'inherit',
})
if (status === 0) for (const each of packages) copyReachable(each)
rmSync(declarations, { recursive: true, force: true })
// The compiler has printed the errors.
if (status !== 0) exit(1)
await bundle(root)

/** Copies the declarations that the entries of a package import. @param {import('./packages.mjs').Package} into */
function copyReachable({ folder, entries }) {
  const reachable = new Set(entries.map((name) => join(declarations, `${name}.d.ts`)))
  for (const file of reachable) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
      const imported = resolve(dirname(file), specifier).replace(/\.js$/, '.d.ts')
      if (existsSync(imported)) reachable.add(imported)
    }
    cpSync(file, join(root, folder, 'dist', relative(declarations, file)))
  }
}
