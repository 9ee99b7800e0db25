import type { LoadFailure } from './load-failure.js'

/** Returns a failure as text of several lines. */
export function failureText({ message, location, frame }: LoadFailure): string {
  return [location === null ? message : `${location}: ${message}`, ...(frame === null ? [] : [frame])].join('\n')
}
