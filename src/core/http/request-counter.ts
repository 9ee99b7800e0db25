import { isBodyStream, watchedBody } from './body-stream.js'
import type { HttpResponse } from './response.js'

/** The requests that a server handles now, and how many it has responded to, by the class of the status. */
export interface RequestCounts {
  readonly running: number
  readonly responses: Readonly<Record<'2xx' | '3xx' | '4xx' | '5xx', number>>
}

/** Counts requests. It costs a few nanoseconds for each. */
export interface RequestCounter {
  start(): void
  /** Counts the response of a request that was started, a stream at its end. Returns the response to send. */
  readonly end: (response: HttpResponse) => HttpResponse
  state(): RequestCounts
}

export function requestCounter(): RequestCounter {
  let running = 0
  const byClass = [0, 0, 0, 0, 0, 0]
  const responsesOf = (statusClass: number): number => byClass[statusClass] ?? 0
  const count = ({ status }: HttpResponse): void => {
    running -= 1
    const statusClass = Math.trunc(status / 100)
    byClass[statusClass] = (byClass[statusClass] ?? 0) + 1
  }
  return Object.freeze<RequestCounter>({
    start() {
      running += 1
    },
    end(response) {
      const { body } = response
      if (isBodyStream(body)) return watchedBody(response, body, { ended: () => count(response) })
      count(response)
      return response
    },
    state: () => ({
      running,
      responses: { '2xx': responsesOf(2), '3xx': responsesOf(3), '4xx': responsesOf(4), '5xx': responsesOf(5) },
    }),
  })
}
