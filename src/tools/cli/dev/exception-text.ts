import type { ReportedException } from './reported-exception.js'

/** Returns an exception as text of several lines. */
export function exceptionText({ method, path, status, location, frame, stack }: ReportedException): string {
  const request =
    method === null ? 'outside of requests' : [method, path, status].filter((part) => part !== null).join(' ')
  return [location === null ? request : `${request}, ${location}`, ...(frame === null ? [] : [frame]), stack].join('\n')
}
