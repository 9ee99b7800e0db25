import type { LoadFailure } from './load-failure.js'

/** Returns a failure as text of several lines. */
export function failureText({ message, place, frame }: LoadFailure): string {
  return [place === null ? message : `${place}: ${message}`, ...(frame === null ? [] : [frame])].join('\n')
}
