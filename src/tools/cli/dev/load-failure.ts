import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath } from 'node:url'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { isOwnFile } from '../package-file.js'
import { availableTransform } from '../typescript/transform.js'
import type { TransformError } from '../typescript/transform-error.js'
import { typeImportHint } from '../typescript/type-import-hint.js'
import { codeFrame, parsedLocation, locationOfMatch, locationText, type SourceLocation } from './source-location.js'

/** The reason why a module cannot be served, as text for the user. */
export interface LoadFailure {
  readonly message: string
  /** `src/albums.ts:3:5`; null if it is unknown, or if the reason is not in a file. */
  readonly location: string | null
  /** The lines around the location. */
  readonly frame: string | null
}

/** A module that can be loaded, but not served. The message is for the user. */
export class ServeError extends Error {
  override readonly name = 'ServeError'
}

/**
 * Describes the error of a module that cannot be loaded.
 *
 * @param files the files that were loaded
 */
export async function loadFailure(thrown: unknown, files: readonly string[]): Promise<LoadFailure> {
  // The faults of a server name the declaration, which is more useful than a stack trace.
  if (thrown instanceof Error && (thrown.name === 'BuildError' || thrown.name === 'ServeError')) {
    return { message: thrown.message, location: null, frame: null }
  }
  const cause = innermost(thrown)
  const location = locationOf(cause) ?? (cause instanceof SyntaxError ? await syntaxErrorLocation(files) : null)
  const shown =
    location === null
      ? { location: null, frame: null }
      : { location: locationText(location), frame: codeFrame(location) }
  return { message: messageOf(cause), ...shown }
}

/** Returns the innermost cause: the error of `discover()` only names the module. */
export function innermost(thrown: unknown): unknown {
  let error = thrown
  // The depth is limited, because a chain of causes may be circular.
  for (let depth = 0; depth < 8 && error instanceof Error && error.cause instanceof Error; depth++) error = error.cause
  return error
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `The module throws: ${thrownMessage(error)}`
  // The name adds no information to the message.
  const isPlain = error.name === 'Error' || error.name === 'TransformError'
  // Paths in the application are relative, like those of locations.
  const message = `${error.message.replaceAll(`${cwd()}${sep}`, '')}${typeImportHint(error)}`
  return isPlain ? message : `${error.name}: ${message}`
}

/** Returns the location in the application where an error comes from; null if it is unknown. */
export function locationOf(error: unknown): SourceLocation | null {
  if (!(error instanceof Error)) return null
  if (error.name === 'TransformError') {
    const { location } = error as TransformError
    return location === null ? null : parsedLocation(location)
  }
  return importLocation(error) ?? stackLocation(error.stack ?? '', error.message)
}

/** Returns the location of an import that cannot be resolved. The stack contains only locations in compiled code, or in Node. */
function importLocation({ message, stack = '' }: Error): SourceLocation | null {
  const [, , missing, importer] =
    /^Cannot find (module|package) '([^']+)' imported from (.+)$/.exec(message.split('\n')[0] ?? '') ?? []
  if (missing !== undefined && importer !== undefined) {
    const ending = escaped(missing.split(/[/\\]/).at(-1) ?? missing)
    return locationOfMatch(importer, new RegExp(`['"](?:[^'"\\n]*/)?${ending}['"]`))
  }
  const [, name] = / does not provide an export named '([^']+)'/.exec(message) ?? []
  // Node writes the file above the name of the error.
  const [, file] = /^(\S.*):\d+\n/.exec(stack) ?? []
  if (name === undefined || file === undefined) return null
  return locationOfMatch(pathOf(file), new RegExp(`(?<=\\bimport\\b[^'"]*)\\b${escaped(name)}\\b`))
}

/** Returns the innermost location of a stack that is in the application: not in a package, and not in Node. */
function stackLocation(stack: string, message: string): SourceLocation | null {
  // The message may itself have lines that look like frames.
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length)
  for (const [, position = ''] of frames.matchAll(/^\s+at (?:.*\()?((?:file:|\/|[A-Z]:\\)[^()\n]+:\d+:\d+)\)?$/gm)) {
    const location = parsedLocation(position)
    const file = pathOf(location.file)
    if (!/[/\\]node_modules[/\\]/.test(file) && !isOwnFile(file)) return { ...location, file }
  }
  return null
}

/** Stack traces have paths, and URLs of files that are not compiled. */
function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file
}

/** Node does not report the location of a syntax error in JavaScript, so the compiler finds it. */
async function syntaxErrorLocation(files: readonly string[]): Promise<SourceLocation | null> {
  const transform = await availableTransform()
  for (const file of files) {
    try {
      if (/\.m?js$/.test(file)) transform(file, readFileSync(file, 'utf8'))
    } catch (found) {
      return locationOf(found)
    }
  }
  return null
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
