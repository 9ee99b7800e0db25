import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve as resolvePath } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Transform } from './transform.js'

interface ResolveContext {
  readonly parentURL?: string | undefined
}

/** Hooks of Node for modules. They return the result of the next hook, so that they work with and without promises. */
export interface ModuleHooks {
  readonly resolve: <Context extends ResolveContext, Result>(
    specifier: string,
    context: Context,
    next: (specifier: string, context: Context) => Result,
  ) => Result
  readonly load: <Context, Result>(
    url: string,
    context: Context,
    next: (url: string, context: Context) => Result,
  ) => Result | LoadedSource
}

interface LoadedSource {
  readonly format: 'module'
  readonly source: string
  readonly shortCircuit: true
}

interface HookOptions {
  /** The folder of the application, which may itself be below a folder `node_modules`. */
  readonly root: string
  readonly transform: Transform
  /** Called with the path of each file that is loaded, before it is read, and of each missing file. It is not called for files of packages. */
  readonly onFile: (file: string) => void
}

/** Returns hooks that load TypeScript files as modules, and find them by the names of their compiled files. */
export function moduleHooks({ root, transform, onFile }: HookOptions): ModuleHooks {
  return {
    resolve(specifier, context, next) {
      const path = pathOf(specifier, context.parentURL)
      if (path === null || isFile(path) || isOfPackage(path, root)) return next(specifier, context)
      const source = sourceOf(path)
      // Node reports the missing file. It may be added later.
      if (source === null) onFile(path)
      return next(source === null ? specifier : pathToFileURL(source).href, context)
    },
    load(url, context, next) {
      const file = url.startsWith('file:') ? fileURLToPath(url) : null
      if (file === null || isOfPackage(file, root)) return next(url, context)
      onFile(file)
      if (!/\.m?ts$/.test(file)) return next(url, context)
      return { format: 'module', source: transform(file, readFileSync(file, 'utf8')), shortCircuit: true }
    },
  }
}

/** Returns the TypeScript file for a path: `albums.ts` for `albums.js`. Null if there is none. */
function sourceOf(path: string): string | null {
  return [path.replace(/\.(m?)js$/, '.$1ts'), `${path}.ts`, `${path}/index.ts`].find(isFile) ?? null
}

/** Returns the path of a specifier; null if it names a package, or is not the path of a file. */
function pathOf(specifier: string, parent: string | undefined): string | null {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier.replace(/[?#].*$/, ''))
  if (!/^\.{0,2}\//.test(specifier) || parent?.startsWith('file:') !== true) return null
  return resolvePath(dirname(fileURLToPath(parent)), specifier)
}

function isOfPackage(path: string, root: string): boolean {
  const below = path.startsWith(root) ? path.slice(root.length) : path
  return /[/\\]node_modules[/\\]/.test(below)
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
