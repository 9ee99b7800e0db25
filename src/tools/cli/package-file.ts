import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The parts of package.json that commands use. */
interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Returns package.json of this package. */
export function ownManifest(): Manifest {
  return JSON.parse(readFileSync(manifestPath(), 'utf8')) as Manifest
}

/** Returns the URL of a program of this package by its path in `dist`, such as `tools/cli/dev/child.js`. */
export function programUrl(path: string): URL {
  return pathToFileURL(join(dirname(manifestPath()), 'dist', path))
}

/** A package can resolve its own name. The path of the file with this code depends on the bundler. */
function manifestPath(): string {
  return createRequire(import.meta.url).resolve('ashlar/package.json')
}
