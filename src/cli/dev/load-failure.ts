import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath } from 'node:url'
import { thrownMessage } from '../../errors/describe-thrown.js'
import { programUrl } from '../package-file.js'
import { installedTransform, type TransformError } from '../typescript/transform.js'
import { codeFrame, parsedPlace, placeOfMatch, placeText, type SourcePlace } from './source-place.js'

/** Why a module cannot be served, as text for people. */
export interface LoadFailure {
  readonly message: string
  /** `src/albums.ts:3:5`; null if the reason is in no file, or not known to be. */
  readonly place: string | null
  /** The lines around the place. */
  readonly frame: string | null
}

/** A module that can be loaded, but not served. The message is for people. */
export class ServeError extends Error {
  override readonly name = 'ServeError'
}

/**
 * Describes what a module has thrown while it was loaded.
 *
 * @param files the files that were loaded
 */
export async function loadFailure(thrown: unknown, files: readonly string[]): Promise<LoadFailure> {
  // The faults of a server name the declaration, which says more than the call that has found them.
  if (thrown instanceof Error && (thrown.name === 'BuildError' || thrown.name === 'ServeError')) {
    return { message: thrown.message, place: null, frame: null }
  }
  const cause = innermost(thrown)
  const place = placeOf(cause) ?? (cause instanceof SyntaxError ? await syntaxErrorPlace(files) : null)
  const shown = place === null ? { place: null, frame: null } : { place: placeText(place), frame: codeFrame(place) }
  return { message: messageOf(cause), ...shown }
}

/** The cause says what is wrong: `discover()` says only in which module. */
function innermost(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause instanceof Error ? innermost(thrown.cause) : thrown
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `The module throws: ${thrownMessage(error)}`
  // The name says nothing that the message does not say.
  const isPlain = error.name === 'Error' || error.name === 'TransformError'
  // Paths in the application are short, as those of places are.
  const message = error.message.replaceAll(`${cwd()}${sep}`, '')
  return isPlain ? message : `${error.name}: ${message}`
}

function placeOf(error: unknown): SourcePlace | null {
  if (!(error instanceof Error)) return null
  if (error.name === 'TransformError') {
    const { place } = error as TransformError
    return place === null ? null : parsedPlace(place)
  }
  return importPlace(error) ?? stackPlace(error.stack ?? '', error.message)
}

/** Returns the place of an import that leads nowhere. The places in the stack are those of the compiled code, or of Node. */
function importPlace({ message, stack = '' }: Error): SourcePlace | null {
  const [, , missing, importer] =
    /^Cannot find (module|package) '([^']+)' imported from (.+)$/.exec(message.split('\n')[0] ?? '') ?? []
  if (missing !== undefined && importer !== undefined) {
    const ending = escaped(missing.split(/[/\\]/).at(-1) ?? missing)
    return placeOfMatch(importer, new RegExp(`['"](?:[^'"\\n]*/)?${ending}['"]`))
  }
  const [, name] = / does not provide an export named '([^']+)'/.exec(message) ?? []
  // Node writes the file above the name of the error.
  const [, file] = /^(\S.*):\d+\n/.exec(stack) ?? []
  if (name === undefined || file === undefined) return null
  return placeOfMatch(pathOf(file), new RegExp(`(?<=\\bimport\\b[^'"]*)\\b${escaped(name)}\\b`))
}

/** Returns the innermost place of a stack that is in the application: not in a package, and not in Node. */
function stackPlace(stack: string, message: string): SourcePlace | null {
  // The message may itself have lines that look like frames.
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length)
  const own = fileURLToPath(programUrl(''))
  for (const [, location = ''] of frames.matchAll(/^\s+at (?:.*\()?((?:file:|\/|[A-Z]:\\)[^()\n]+:\d+:\d+)\)?$/gm)) {
    const place = parsedPlace(location)
    const file = pathOf(place.file)
    if (!/[/\\]node_modules[/\\]/.test(file) && !file.startsWith(own)) return { ...place, file }
  }
  return null
}

/** Stack traces have paths, and URLs of files that are not compiled. */
function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file
}

/** Node does not say where a JavaScript file has a syntax error, so the compiler looks for it. */
async function syntaxErrorPlace(files: readonly string[]): Promise<SourcePlace | null> {
  const transform = await installedTransform()
  for (const file of files) {
    try {
      if (/\.m?js$/.test(file)) transform?.(file, readFileSync(file, 'utf8'))
    } catch (found) {
      return placeOf(found)
    }
  }
  return null
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
