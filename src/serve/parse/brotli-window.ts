/**
 * The sliding window of a brotli stream (RFC 7932, section 9.1). Its decoder allocates a buffer as large as the window or as the first
 * block, and returns nothing until that is full: 51 bytes make it write 16 MiB. So the window is narrowed to what the limit needs.
 */

/** The windows whose size is encoded in four bits, so that one can be replaced by another: 256 KiB to 16 MiB. */
const NARROWEST = 18
const WIDEST = 24

/** A window of 2^n bytes is 16 bytes shorter than that. */
const GAP = 16

/** Returns the size in bytes of the buffer that a decoder allocates at most, after {@link narrowed}. */
export function brotliWindowBytes(limit: number): number {
  return 2 ** neededBits(limit)
}

/**
 * Returns a stream with the same content of up to `limit` bytes, and no larger window than that needs. The bytes before a position are
 * all in the window, so that references to them, and to the dictionary behind them, do not change.
 */
export function narrowed(stream: Uint8Array, limit: number): Uint8Array {
  const [first = 0] = stream
  const bits = neededBits(limit)
  if (windowBits(first) <= bits) return stream
  const copy = Uint8Array.from(stream)
  copy[0] = (first & 0b1111_0001) | ((bits - 17) << 1)
  return copy
}

function neededBits(limit: number): number {
  let bits = NARROWEST
  while (bits < WIDEST && 2 ** bits - GAP < limit) bits += 1
  return bits
}

/** Returns the exponent of the window size; 0 if it is not encoded in four bits, because then it is small or invalid. */
function windowBits(first: number): number {
  const code = (first >> 1) & 0b111
  return (first & 1) === 1 && code !== 0 ? 17 + code : 0
}

/**
 * Returns the decoded size of the first block of a stream. It is at most the size of the whole content, so that a stream can be refused
 * without a decoder. Returns 0 if the first block has only metadata, or the window is invalid.
 */
export function firstBlockBytes(stream: Uint8Array): number {
  const read = bitReader(stream)
  if (read(1) === 1 && read(3) === 0 && read(3) === LARGE_WINDOW) return 0
  const isLast = read(1) === 1
  if (isLast && read(1) === 1) return 0
  const nibbles = read(2)
  return nibbles === METADATA ? 0 : read(4 * (nibbles + 4)) + 1
}

/** The code of a window that another format has, the large window brotli, which decoders refuse. */
const LARGE_WINDOW = 1

/** The number of nibbles that marks a block of metadata. */
const METADATA = 3

/** Returns a function that returns the next bits of a stream, the lowest first. Bits after its end are 0. */
function bitReader(stream: Uint8Array): (count: number) => number {
  let position = 0
  return (count) => {
    let value = 0
    for (let bit = 0; bit < count; bit += 1, position += 1) {
      value |= (((stream[position >> 3] ?? 0) >> (position & 7)) & 1) << bit
    }
    return value
  }
}
