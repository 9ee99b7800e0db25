/** The memory of a {@link BodyMemory} now, and the bodies that it has refused since the start. Sizes are in bytes. */
export interface BodyMemoryState {
  readonly limit: number
  /** The memory of bodies that are read, decompressed or parsed. */
  readonly held: number
  /** The memory of the decoders that run, at most. */
  readonly decoding: number
  /** Bodies that are being received. */
  readonly receiving: number
  /** Bodies that were refused before anything was read. */
  readonly refused: number
  /** Bodies that were not received to their end, because their clients were the slowest. */
  readonly ended: number
}

/** Counts the bytes of a body. An adapter that reads a body calls it for each part. */
export interface BodyMeter {
  /** Called when reading must stop, with the error of the request. An adapter sets it before it reads. */
  onEnd: ((reason: unknown) => void) | null
  /** Adds bytes that were received. It may call `onEnd` of this body or of slower ones. */
  add(bytes: number): void
}

/** A body whose memory is counted until it is released. */
export interface MeteredBody extends BodyMeter {
  /** Ends the reception: the body has this size, and cannot be ended any more. Throws if it was ended. */
  received(bytes: number): void
  /** Frees the memory. */
  release(): void
}

/** Limits the memory of all request bodies of a process. */
export interface BodyMemory {
  /** Starts to count a body. Throws if there is no memory for it, unless the request announces none. */
  open(hasBody: boolean): MeteredBody
  /** Runs a decoder that needs this many bytes of memory, when they are available. */
  decode<Result>(bytes: number, run: () => Promise<Result>): Promise<Result>
  state(): BodyMemoryState
}

/** A client that sends less in a second is slow. A body of 1 MiB takes it a minute, the time limit for whole requests. */
const SLOW_BYTES = 16 * 1024

/** The time in milliseconds after which the speed of a client is known. */
const PERIOD = 1000

/** How many bodies are compared to find the slowest. */
const COMPARED = 8

/** How many decoders run at the same time: as many as Node has threads for them. */
const DECODERS = 4

/**
 * Creates the memory of bodies. If it is used up, a slow client is ended. If no client is slow, new bodies are refused, so that those
 * that were begun are completed.
 *
 * @param limit bytes
 * @param refusal the error of a request whose body is refused or ended
 */
export function bodyMemory(limit: number, refusal: unknown): BodyMemory {
  // Bodies that have memory and can be ended, ordered by the time of their last measurement.
  const receiving = new Set<CountedBody>()
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []
  // Decoders do not count as `held`: they end without any client, so that other bodies need not be refused.
  const counts = { held: 0, decoding: 0, refused: 0, ended: 0 }
  let decoders = 0
  const owner: Owner = { refusal, add, received: (body) => receiving.delete(body), release }

  return Object.freeze<BodyMemory>({
    open(hasBody) {
      if (hasBody && counts.held >= limit) endSlow()
      return new CountedBody(owner)
    },
    async decode(bytes, run) {
      if (hasRoom(bytes) && waiting.length === 0) takeDecoder(bytes)
      else await new Promise<void>((start) => waiting.push({ bytes, start }))
      try {
        return await run()
      } finally {
        decoders -= 1
        counts.decoding -= bytes
        startDecoders()
      }
    },
    state: () => ({ limit, receiving: receiving.size, ...counts }),
  })

  function endSlow(): void {
    while (counts.held >= limit) {
      const slowest = slowestOf(receiving)
      if (slowest === null || !slowest.isSlow()) {
        counts.refused += 1
        throw refusal
      }
      end(slowest)
    }
  }

  function add(body: CountedBody, bytes: number): void {
    if (body.bytes === 0) {
      body.measure()
      receiving.add(body)
    }
    body.bytes += bytes
    counts.held += bytes
    while (counts.held > limit && !body.isEnded) end(slowestOf(receiving) ?? body)
  }

  function end(body: CountedBody): void {
    counts.ended += 1
    body.isEnded = true
    release(body)
    body.onEnd?.(refusal)
  }

  function release(body: CountedBody): void {
    counts.held -= body.bytes
    body.bytes = 0
    receiving.delete(body)
  }

  function startDecoders(): void {
    for (let [next] = waiting; next !== undefined && hasRoom(next.bytes); [next] = waiting) {
      waiting.shift()
      takeDecoder(next.bytes)
      next.start()
    }
  }

  /** Decoders have as much memory as bodies. One of them may always run. */
  function hasRoom(bytes: number): boolean {
    return decoders === 0 || (decoders < DECODERS && counts.decoding + bytes <= limit)
  }

  function takeDecoder(bytes: number): void {
    decoders += 1
    counts.decoding += bytes
  }
}

interface Owner {
  readonly refusal: unknown
  add(body: CountedBody, bytes: number): void
  received(body: CountedBody): void
  release(body: CountedBody): void
}

/** It is a class, because one is created for each body. */
class CountedBody implements MeteredBody {
  onEnd: BodyMeter['onEnd'] = null
  bytes = 0
  isEnded = false
  readonly #owner: Owner
  #measured = 0
  #bytesBefore = 0
  #speedBefore = 0

  constructor(owner: Owner) {
    this.#owner = owner
  }

  add(bytes: number): void {
    if (!this.isEnded) this.#owner.add(this, bytes)
  }

  received(bytes: number): void {
    // An adapter of the application may not count them.
    if (bytes > this.bytes) this.add(bytes - this.bytes)
    if (this.isEnded) throw this.#owner.refusal
    this.#owner.received(this)
  }

  release(): void {
    this.#owner.release(this)
  }

  /** Starts to measure the speed, from now on. */
  measure(): void {
    this.#speedBefore = this.speed()
    this.#measured = performance.now()
    this.#bytesBefore = this.bytes
  }

  isMeasured(): boolean {
    return performance.now() - this.#measured >= PERIOD
  }

  /** Returns the bytes in a second; before they are measured, the result of the last measurement if that is higher. */
  speed(): number {
    const speed = ((this.bytes - this.#bytesBefore) / Math.max(1, performance.now() - this.#measured)) * 1000
    return this.isMeasured() ? speed : Math.max(speed, this.#speedBefore)
  }

  isSlow(): boolean {
    return this.isMeasured() && this.speed() < SLOW_BYTES
  }
}

/**
 * Returns the slowest of the bodies that were measured longest ago; `null` if there is none. To compare all would take longer, the more
 * clients there are. Bodies that are fast enough are measured again, and others are compared the next time.
 */
function slowestOf(receiving: Set<CountedBody>): CountedBody | null {
  const compared: CountedBody[] = []
  for (const body of receiving) {
    compared.push(body)
    if (compared.length === COMPARED) break
  }
  let slowest: CountedBody | null = null
  for (const body of compared) if (slowest === null || body.speed() < slowest.speed()) slowest = body
  for (const body of compared) {
    if (!body.isMeasured() || body.isSlow()) continue
    receiving.delete(body)
    receiving.add(body)
    body.measure()
  }
  return slowest
}
