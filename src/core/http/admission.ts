import { boundToContext } from '../util/async-context.js'
import { isBodyStream, watchedBody } from './body-stream.js'
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
  // Requests that wait for something else: for a body that the client sends slowly, or for a lock. They do not count towards the limit: a
  // few of them could use it up.
  const paused = new Set<AdmittedRequest>()
  const waiting = new Set<Waiting>()
  const isDelayed = delayWatch(limits.maxDelay)
  const paced = pacedRefusals()
  const abandoned = deadline + Math.min(deadline, LONGEST_GRACE)
  const counts = { refused: 0, late: 0 }
  const tick = watch(Math.min(maxWait, deadline), () => {
    const now = performance.now()
    refuseExpired(waiting, now - maxWait)
    for (const requests of [running, paused]) {
      for (const request of requests) {
        if (!request.isStreaming && now - request.since >= deadline)
          request.expire('late', now - request.since >= abandoned)
      }
    }
    for (const request of running) if (request.isPausedForLong()) setAside(request)
    refuseLocked()
    return running.size + paused.size + waiting.size > 0
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
            resumed: () => takeBack(admitted),
          })
          const end = (response: HttpResponse | null): void => {
            if (response !== null && isBodyStream(response.body) && admitted.refusal === null) {
              // The request runs until its stream ends, without a deadline: the stream has its own. While the client takes a part, it
              // does not count.
              admitted.isStreaming = true
              const events = { ended: () => void leave(admitted), waiting: () => admitted.pause('body') }
              return resolve(watchedBody(response, response.body, events))
            }
            if (!leave(admitted)) return
            if (response !== null && (admitted.refusal === null || response.status < CLIENT_IS_GONE))
              return resolve(response)
            const reason = admitted.refusal ?? 'late'
            counts[reason === 'late' ? 'late' : 'refused'] += 1
            resolve(refuse(reason))
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
    const isLeft = running.delete(request) || paused.delete(request)
    startNext()
    return isLeft
  }

  function setAside(request: AdmittedRequest): void {
    running.delete(request)
    paused.add(request)
    startNext()
  }

  /** As many requests may wait for locks as may run. The last ones are refused, since each of them takes memory. */
  function refuseLocked(): void {
    let count = 0
    for (const request of paused) {
      if (request.isLocked) count += 1
      if (request.isLocked && count > concurrent) request.expire('overloaded')
    }
  }

  /** The limit may be exceeded for a while. To queue a request again whose middleware has run would be worse. */
  function takeBack(request: AdmittedRequest): void {
    if (paused.delete(request)) running.add(request)
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
  /** Called when the request does not wait any more. */
  readonly resumed: () => void
}

/**
 * Records that a request waits for a lock. If it waits for long, it does not count as running: other requests take its place. Returns
 * the function that ends the wait.
 */
export function pauseRequest(request: HttpRequest | null): () => void {
  return request instanceof AdmittedRequest ? request.pause('lock') : nothing
}

function nothing(): void {}

/** A request that is handled. At the deadline, it reports to its listeners that the client has disconnected. */
class AdmittedRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly since = performance.now()
  /** Why the request was stopped; `null` if it was not. */
  refusal: Refusal | null = null
  /** Whether its response is sent while it is made. */
  isStreaming = false
  readonly #request: HttpRequest
  readonly #events: AdmittedEvents
  #listeners: Set<() => void> | null = null
  #isBodyRead = false
  /** How many locks, and bodies, the request waits for. */
  readonly #pauses = { lock: 0, body: 0 }
  #wasPaused = false

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
    if (!this.#isBodyRead) {
      this.#isBodyRead = true
      const resume = this.pause('body')
      body.then(resume, resume)
    }
    return body
  }

  /** Whether the request waits for a lock. */
  get isLocked(): boolean {
    return this.#pauses.lock > 0
  }

  /** Records that the request waits. Returns the function that ends the wait; only its first call has an effect. */
  pause(reason: 'lock' | 'body'): () => void {
    const pauses = this.#pauses
    pauses[reason] += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      pauses[reason] -= 1
      if (pauses.lock + pauses.body > 0) return
      this.#wasPaused = false
      this.#events.resumed()
    }
  }

  /**
   * Returns whether the request has been waiting since the last call. In between, the event loop has read everything that had arrived, and
   * short locks have ended.
   */
  isPausedForLong(): boolean {
    const { lock, body } = this.#pauses
    if (lock + body === 0) return false
    const wasPaused = this.#wasPaused
    this.#wasPaused = true
    return wasPaused
  }

  onAbort(listener: () => void): () => void {
    if (this.refusal !== null) {
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
  expire(refusal: Refusal, isAbandoned = false): void {
    if (this.refusal === null) {
      this.refusal = refusal
      for (const listener of this.#listeners ?? []) listener()
    } else if (isAbandoned) this.#events.abandon()
  }
}
