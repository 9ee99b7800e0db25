import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

type PackageName = 'ashlar' | '@ashlar/cli' | '@ashlar/verify'

/** The parts of package.json that commands use. */
interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Returns package.json of a package. All packages have the same version. */
export function manifestOf(name: PackageName): Manifest {
  return JSON.parse(readFileSync(manifestPath(name), 'utf8')) as Manifest
}

/** Returns the URL of a program of the command line by its path in `dist`, such as `tools/cli/dev/child.js`. */
export function programUrl(path: string): URL {
  return pathToFileURL(join(dirname(manifestPath('@ashlar/cli')), 'dist', path))
}

/** Returns whether a file belongs to Ashlar. Its packages may be linked from a clone, and are then outside of `node_modules`. */
export function isOwnFile(file: string): boolean {
  return (['ashlar', '@ashlar/cli'] as const).some((name) =>
    file.startsWith(join(dirname(manifestPath(name)), 'dist') + sep),
  )
}

/** A package can resolve its own name. The path of the file with this code depends on the bundler. */
function manifestPath(name: PackageName): string {
  return createRequire(import.meta.url).resolve(`${name}/package.json`)
}
