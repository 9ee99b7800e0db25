/** The text after which a document is worth to be turned into bytes: longer ones cost more to put together. */
const LONG_ENOUGH = 4096

/**
 * The same for what follows, which is about a resource: one character beyond Latin-1 makes all of its text take twice the room, and
 * longer to be turned into bytes. What is shorter costs more to be written apart.
 */
const NEXT_ENOUGH = 512

const FIRST_CAPACITY = 64 * 1024

/** What is larger is not kept for the next document. */
const LARGEST_SPARE = 1024 * 1024

/**
 * Where documents are put together, one after the other: none is waited for in between. To take room anew for each would keep
 * the garbage collector busy. Whoever writes has it to itself.
 */
let spare: Buffer | null = null

/** A character of a JavaScript string takes three bytes at most. */
const LARGEST_CHARACTER = 3

/**
 * The text of a document that may be long. What is finished of it becomes bytes at once: a text of thousands of parts would
 * have to be put together first, and were one character in it beyond Latin-1, all of it would take twice the room until then.
 */
export class DocumentText {
  #bytes: Buffer | null = null
  #length = 0

  /** Takes the text so far, where it is long enough, and answers what is left to go on with: the text, or nothing. */
  settle(text: string): string {
    if (text.length < (this.#bytes === null ? LONG_ENOUGH : NEXT_ENOUGH)) return text
    this.#write(text)
    return ''
  }

  /** The whole document, with the rest of its text. A short one stays text. */
  end(text: string): string | Uint8Array {
    if (this.#bytes === null) return text
    this.#write(text)
    const bytes = Buffer.allocUnsafe(this.#length)
    this.#bytes.copy(bytes, 0, 0, this.#length)
    if (this.#bytes.length <= LARGEST_SPARE) spare = this.#bytes
    this.#bytes = null
    return bytes
  }

  #write(text: string): void {
    if (this.#bytes === null) {
      this.#bytes = spare
      spare = null
    }
    this.#bytes = withRoom(this.#bytes, this.#length, text.length * LARGEST_CHARACTER)
    this.#length += this.#bytes.write(text, this.#length)
  }
}

function withRoom(bytes: Buffer | null, length: number, room: number): Buffer {
  if (bytes !== null && bytes.length - length >= room) return bytes
  const capacity = Math.max(FIRST_CAPACITY, (bytes?.length ?? 0) * 2, length + room)
  const larger = Buffer.allocUnsafe(capacity)
  bytes?.copy(larger, 0, 0, length)
  return larger
}
