/** A part of fewer bytes is copied. */
const SMALL_PART = 4096

/** The sizes of the blocks that small parts are copied to. */
const SMALLEST_BLOCK = 1024
const LARGEST_BLOCK = 16 * 1024

/**
 * The parts of a body that were received. Small ones are copied to blocks: a chunked body may have a million parts of one byte each, of
 * which each would take about 200 bytes of memory.
 */
export class BodyParts {
  size = 0
  #parts: Uint8Array[] = []
  /** How many bytes of the last part are used, if it is a block; otherwise -1. */
  #used = -1

  add(part: Uint8Array): void {
    // Most bodies have one part, which needs no copy.
    if (this.size === 0 || part.byteLength >= SMALL_PART) {
      this.#endBlock()
      this.#parts.push(part)
    } else this.#copy(part)
    this.size += part.byteLength
  }

  /** Returns the whole body; `null` if it is empty. */
  joined(): Uint8Array | null {
    this.#endBlock()
    const [first] = this.#parts
    if (first === undefined || this.#parts.length === 1) return first ?? null
    const bytes = new Uint8Array(this.size)
    let offset = 0
    for (const part of this.#parts) {
      bytes.set(part, offset)
      offset += part.byteLength
    }
    return bytes
  }

  clear(): void {
    this.#parts = []
    this.#used = -1
  }

  #copy(part: Uint8Array): void {
    let block = this.#used === -1 ? undefined : this.#parts.at(-1)
    if (block === undefined || block.byteLength - this.#used < part.byteLength) {
      this.#endBlock()
      // In proportion to the body, so that the first bytes of many bodies do not take much more memory than is counted.
      block = new Uint8Array(Math.max(part.byteLength, Math.min(LARGEST_BLOCK, Math.max(SMALLEST_BLOCK, this.size))))
      this.#parts.push(block)
      this.#used = 0
    }
    block.set(part, this.#used)
    this.#used += part.byteLength
  }

  /** Cuts off the unused bytes of the last block. */
  #endBlock(): void {
    if (this.#used === -1) return
    const block = this.#parts.pop()
    if (block !== undefined) this.#parts.push(block.subarray(0, this.#used))
    this.#used = -1
  }
}
