import { boundToContext } from '../util/async-context.js'
import type { BodyMeter } from './body-memory.js'
import type { HttpRequest } from './request.js'
import { requestId } from './request-id.js'
import type { HttpResponse } from './response.js'
import { pacedRefusals } from './paced-refusals.js'

/** The limits of an {@link Admission}. Times are in milliseconds. */
export interface AdmissionLimits {
  /** Requests that are handled at the same time. */
  readonly concurrent: number
  /** Requests that wait for their turn. */
  readonly queued: number
  /** How long a request may wait for its turn. */
  readonly maxWait: number
  /** How long a request may wait for earlier ones that the event loop has emitted, if others still wait so long after this time. */
  readonly maxDelay: number
  /** How long a request may be handled. */
  readonly deadline: number
}

/** The reason why a request was refused, or stopped before its end. */
export type Refusal = 'overloaded' | 'late'

/** The numbers of requests that run and wait now, and of those refused or late since the start. */
export interface AdmissionState {
  readonly running: number
  readonly waiting: number
  readonly refused: number
  readonly late: number
}

/** A request, and how long it has waited for earlier ones that the event loop has emitted. */
export interface ArrivedRequest {
  readonly request: HttpRequest
  readonly waited: number
}

export interface AdmissionResponses {
  readonly handle: (request: HttpRequest) => Promise<HttpResponse>
  readonly refuse: (reason: Refusal) => HttpResponse
}

export interface Admission {
  /**
   * Handles a request now or when its turn comes, or refuses it. At the deadline, the handled request reports that its client has
   * disconnected, so that stores cancel its statements.
   */
  handle(request: ArrivedRequest, responses: AdmissionResponses): Promise<HttpResponse>
  state(): AdmissionState
}

/** A request that waits for its turn. */
interface Waiting {
  readonly since: number
  readonly start: () => void
  readonly refuse: () => void
}

/** The longest time that a late request may take to end: its statements are cancelled, and its transaction is rolled back. */
const LONGEST_GRACE = 1000

/** The status of a request whose work was stopped because its client disconnected. Higher ones are failures of the server. */
const CLIENT_IS_GONE = 499

/**
 * Limits how many requests a process handles at the same time, and for how long, so that it stays fast under overload: some requests are
 * refused, and all others are handled in the usual time.
 */
export function admission(limits: AdmissionLimits): Admission {
  const { concurrent, queued, maxWait, deadline } = limits
  const running = new Set<AdmittedRequest>()
  // Requests whose clients send the body slowly. They do not count towards the limit: a few idle connections could use it up.
  const receiving = new Set<AdmittedRequest>()
  const waiting = new Set<Waiting>()
  const isDelayed = delayWatch(limits.maxDelay)
  const paced = pacedRefusals()
  const abandoned = deadline + Math.min(deadline, LONGEST_GRACE)
  const counts = { refused: 0, late: 0 }
  const tick = watch(Math.min(maxWait, deadline), () => {
    const now = performance.now()
    refuseExpired(waiting, now - maxWait)
    for (const requests of [running, receiving]) {
      for (const request of requests) {
        if (now - request.since >= deadline) request.expire(now - request.since >= abandoned)
      }
    }
    for (const request of running) if (request.isSlowBody()) setAside(request)
    return running.size + receiving.size + waiting.size > 0
  })

  return Object.freeze<Admission>({
    handle({ request, waited }, { handle, refuse }) {
      tick()
      if (isDelayed(waited)) return refused('overloaded')
      if (running.size < concurrent) return run()
      return waiting.size < queued ? enqueued() : refused('overloaded')

      function refused(reason: Refusal): Promise<HttpResponse> {
        counts.refused += 1
        return paced(() => refuse(reason))
      }

      function enqueued(): Promise<HttpResponse> {
        return new Promise((resolve) => {
          let unlisten: (() => void) | undefined
          const end = (result: () => Promise<HttpResponse>): void => {
            if (!waiting.delete(entry)) return
            unlisten?.()
            resolve(result())
          }
          const giveUp = (): void => end(() => refused('overloaded'))
          const entry = { since: performance.now(), start: boundToContext(() => end(run)), refuse: giveUp }
          waiting.add(entry)
          // The listener is called immediately if the client is gone already.
          unlisten = request.onAbort?.(giveUp)
        })
      }

      function run(): Promise<HttpResponse> {
        return new Promise((resolve, reject) => {
          const admitted = new AdmittedRequest(request, {
            abandon: () => end(null),
            received: () => takeBack(admitted),
          })
          const end = (response: HttpResponse | null): void => {
            if (!leave(admitted)) return
            const isLate = response === null || (admitted.isExpired && response.status >= CLIENT_IS_GONE)
            if (isLate) counts.late += 1
            resolve(isLate ? refuse('late') : response)
          }
          const fail = (thrown: unknown): void => {
            leave(admitted)
            reject(thrown)
          }
          running.add(admitted)
          handle(admitted).then(end, fail)
        })
      }
    },
    state: () => ({ running: running.size, waiting: waiting.size, ...counts }),
  })

  /** Ends a request. Returns false if it has ended already. */
  function leave(request: AdmittedRequest): boolean {
    const isLeft = running.delete(request) || receiving.delete(request)
    startNext()
    return isLeft
  }

  function setAside(request: AdmittedRequest): void {
    running.delete(request)
    receiving.add(request)
    startNext()
  }

  /** The limit may be exceeded for a while. To queue a request again whose middleware has run would be worse. */
  function takeBack(request: AdmittedRequest): void {
    if (receiving.delete(request)) running.add(request)
  }

  function startNext(): void {
    const [next] = waiting
    if (next !== undefined && running.size < concurrent) next.start()
  }
}

/** The set is in the order of arrival: the first request has waited longest. */
function refuseExpired(waiting: ReadonlySet<Waiting>, before: number): void {
  for (const entry of waiting) {
    if (entry.since > before) return
    entry.refuse()
  }
}

/**
 * Returns a function that returns whether requests wait for too long. It must be called for each request that begins. A wait that is too
 * long once, as after a garbage collection, is not overload; it is if requests still wait for so long after the same time again.
 */
function delayWatch(maxDelay: number): (waited: number) => boolean {
  let late: number | null = null
  return (waited) => {
    if (waited <= maxDelay) {
      late = null
      return false
    }
    const now = performance.now()
    late ??= now
    return now - late >= maxDelay
  }
}

/**
 * Returns a function that starts a timer, unless it runs already. It is one timer for all requests: to start one for each would cost
 * more than all the rest.
 *
 * @param limit the shortest time that is watched; it may be exceeded by an eighth, and by 10 ms
 * @param check returns whether there is something left to watch
 */
function watch(limit: number, check: () => boolean): () => void {
  const period = Math.min(1000, Math.max(10, limit / 8))
  let isRunning = false
  const start = (): void => {
    isRunning = true
    const timer: unknown = setTimeout(() => {
      isRunning = false
      if (check()) start()
    }, period)
    // The timer must not keep the process alive.
    if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref()
  }
  return () => {
    if (!isRunning) start()
  }
}

interface AdmittedEvents {
  /** Ends the request without its response. */
  readonly abandon: () => void
  /** Called when its body is complete, or cannot be read. */
  readonly received: () => void
}

/** A request that is handled. At the deadline, it reports to its listeners that the client has disconnected. */
class AdmittedRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly since = performance.now()
  isExpired = false
  readonly #request: HttpRequest
  readonly #events: AdmittedEvents
  #listeners: Set<() => void> | null = null
  #body: 'unread' | 'receiving' | 'slow' | 'received' = 'unread'

  constructor(request: HttpRequest, events: AdmittedEvents) {
    this.method = request.method
    this.path = request.path
    this.query = request.query
    this.#request = request
    this.#events = events
  }

  get origin(): string {
    return this.#request.origin
  }

  get prefix(): string {
    return this.#request.prefix ?? ''
  }

  get hasBody(): boolean {
    return this.#request.hasBody
  }

  get address(): string | undefined {
    return this.#request.address
  }

  get id(): string {
    return requestId(this.#request)
  }

  header(name: string): string | undefined {
    return this.#request.header(name)
  }

  body(limit: number, meter?: BodyMeter): ReturnType<HttpRequest['body']> {
    const body = this.#request.body(limit, meter)
    if (this.#body === 'unread') {
      this.#body = 'receiving'
      const received = (): void => {
        this.#body = 'received'
        this.#events.received()
      }
      body.then(received, received)
    }
    return body
  }

  /**
   * Returns whether the body is still being received, and was at the last call too. In between, the event loop has read everything that had
   * arrived.
   */
  isSlowBody(): boolean {
    if (this.#body === 'slow') return true
    if (this.#body === 'receiving') this.#body = 'slow'
    return false
  }

  onAbort(listener: () => void): () => void {
    if (this.isExpired) {
      listener()
      return () => undefined
    }
    const listeners = (this.#listeners ??= new Set())
    // The client may disconnect, and the deadline pass after that.
    const callOnce = (): void => {
      if (listeners.delete(callOnce)) listener()
    }
    listeners.add(callOnce)
    const unlisten = this.#request.onAbort?.(callOnce)
    return () => {
      listeners.delete(callOnce)
      unlisten?.()
    }
  }

  /** @param isAbandoned whether the grace period after the deadline is over */
  expire(isAbandoned: boolean): void {
    if (!this.isExpired) {
      this.isExpired = true
      for (const listener of this.#listeners ?? []) listener()
    } else if (isAbandoned) this.#events.abandon()
  }
}
