/**
 * Returns whether bytes are whole frames of Zstandard (RFC 8878, section 3.1). `node:zlib` of Node 22 does not report data that ends too
 * early: it returns what it could decompress until then.
 */
export function isWholeZstd(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  do {
    const end = frameEnd(view, at)
    if (end === null || end > bytes.byteLength) return false
    at = end
  } while (at < bytes.byteLength)
  return true
}

/** The first bytes of a frame, and of one that decoders skip, without its last four bits. */
const MAGIC = 0xfd2fb528
const SKIPPABLE_MAGIC = 0x184d2a5

/** How many bytes the optional fields of a frame header have, by their flags. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const
const SIZE_BYTES = [0, 2, 4, 8] as const

/** Blocks of this type have one byte, and their size is how often it is repeated. */
const REPEATED_BYTE = 1

/** Returns the end of the frame that starts at a position; `null` if its headers are incomplete. */
function frameEnd(view: DataView, start: number): number | null {
  if (start + 8 > view.byteLength) return null
  const magic = view.getUint32(start, true)
  if (magic >>> 4 === SKIPPABLE_MAGIC) return start + 8 + view.getUint32(start + 4, true)
  if (magic !== MAGIC) return null
  const flags = view.getUint8(start + 4)
  const isSingleSegment = (flags >> 5) & 1
  const sizeBytes = SIZE_BYTES[(flags >> 6) as 0 | 1 | 2 | 3] || isSingleSegment
  const windowBytes = 1 - isSingleSegment
  const blocks = start + 5 + windowBytes + DICTIONARY_BYTES[(flags & 3) as 0 | 1 | 2 | 3] + sizeBytes
  const end = blocksEnd(view, blocks)
  const hasChecksum = (flags >> 2) & 1
  return end === null ? null : end + 4 * hasChecksum
}

function blocksEnd(view: DataView, start: number): number | null {
  let at = start
  while (at + 3 <= view.byteLength) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    const isLast = (header & 1) === 1
    const type = (header >> 1) & 3
    at += 3 + (type === REPEATED_BYTE ? 1 : header >> 3)
    if (isLast) return at
  }
  return null
}
