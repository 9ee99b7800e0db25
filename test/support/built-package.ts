import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/** The package and modules of tests as JavaScript, for processes that a test starts. */
export interface BuiltPackage {
  /** Where the JavaScript of a module of this repository is. */
  pathOf(module: string): string
  remove(): void
}

const home = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Compiles the sources as they are, so that a test does not depend on when the package was built last.
 *
 * @param modules of tests, from the root of the repository
 */
export function builtPackage(modules: readonly string[]): BuiltPackage {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-built-'))
  const write = (name: string, content: object): void => writeFileSync(join(folder, name), JSON.stringify(content))
  write('package.json', { name: 'ashlar', type: 'module', exports: { '.': './src/index.js', './*': './src/*.js' } })
  write('tsconfig.json', {
    extends: join(home, 'tsconfig.base.json'),
    // The types are checked elsewhere.
    compilerOptions: { noCheck: true, allowJs: true, types: [], rootDir: home, outDir: folder },
    include: [join(home, 'src'), ...modules.map((module) => join(home, module))],
  })
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(execPath, [join(home, 'node_modules/typescript-native/bin/tsc'), '-p', folder], { stdio: 'pipe' })
  return {
    pathOf: (module) => join(folder, relative(home, join(home, module)).replace(/\.ts$/, '.js')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
