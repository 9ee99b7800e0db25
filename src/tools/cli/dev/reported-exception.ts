import { sep } from 'node:path'
import { cwd } from 'node:process'
import { pathToFileURL } from 'node:url'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { inspected, type LoggedException } from '../../../core/errors/default-log.js'
import { loggedPath } from '../../../core/http/logged-path.js'
import { innermost, locationOf } from './load-failure.js'
import { codeFrame, locationText } from './source-location.js'

/** An unexpected exception of the service, as text for the user. */
export interface ReportedException {
  /** The method and path of the request; null outside of requests. */
  readonly method: string | null
  readonly path: string | null
  /** The status of the response; null if the response does not depend on the exception. */
  readonly status: number | null
  readonly message: string
  /** `src/albums.ts:3:5`; null if no location of the stack is in the application. */
  readonly location: string | null
  /** The lines around the location. */
  readonly frame: string | null
  /** The exception with its stack, its properties and its causes. Paths in the application are relative. */
  readonly stack: string
}

/** Describes an exception. Never throws, whatever was thrown. */
export function reportedException({ thrown, original, request, status }: LoggedException): ReportedException {
  const location = attempt(() => locationOf(innermost(thrown)) ?? locationOf(thrown))
  return {
    method: request === null ? null : request.method,
    path: request === null ? null : loggedPath(request),
    status,
    message: thrownMessage(thrown),
    location: location === null ? null : locationText(location),
    frame: location === null ? null : codeFrame(location),
    stack: [relative(thrown), ...(original === undefined ? [] : [`While handling: ${relative(original)}`])].join('\n'),
  }
}

/** Returns the text that `console.error` prints, with relative paths. */
function relative(thrown: unknown): string {
  const folder = `${cwd()}${sep}`
  return inspected(thrown).replaceAll(pathToFileURL(folder).href, '').replaceAll(folder, '')
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
