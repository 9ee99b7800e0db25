import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import type { BodyMemory } from '../../core/http/body-memory.js'
import { fail } from '../../core/errors/json-api-error.js'
import { type ContentCoding, isContentCoding, zstd } from '../../core/http/content-coding.js'
import type { HttpRequest } from '../../core/http/request.js'
import { invariant } from '../../core/util/invariant.js'
import { brotliWindowBytes, firstBlockBytes, narrowed } from './brotli-window.js'
import { isWholeZstd } from './zstd-frame.js'

/** The codings of bodies that are accepted by default. */
export const DEFAULT_ENCODINGS: readonly ContentCoding[] = Object.freeze(['gzip', 'deflate', 'br'])

/** The result of a function of `node:zlib` with the option `info`. */
interface Decompressed {
  readonly buffer: Buffer
  /** Despite its name, `bytesWritten` is how much of the compressed data was used. */
  readonly engine: { readonly bytesWritten: number }
}

interface DecompressOptions {
  readonly maxOutputLength: number
  readonly info: true
  readonly params?: Readonly<Record<number, number>>
}

type Decompress = (
  bytes: Uint8Array,
  options: DecompressOptions,
  done: (error: NodeJS.ErrnoException | null, result: Decompressed) => void,
) => void

/** A decoder of `node:zlib`. Nothing that a client sends makes it use more memory than `memory` bytes, besides its output. */
interface Decoder {
  readonly decompress: Decompress
  readonly bytes: Uint8Array
  readonly memory: number
  readonly params?: DecompressOptions['params']
}

const KIB = 1024
const MIB = 1024 * KIB

/** The state of a decoder with a window of 32 KiB. */
const INFLATE_MEMORY = 64 * KIB

/** The tables of a brotli decoder, for the 256 codes of each kind that a block may have. */
const BROTLI_TABLES = 3 * MIB

/** The largest window that clients may use is 2^23 bytes (RFC 9659). The decoder has a copy of a block, too. */
const ZSTD_WINDOW = 23
const ZSTD_MEMORY = 2 ** ZSTD_WINDOW + MIB

const decoders: Readonly<Record<ContentCoding, (bytes: Uint8Array, limit: number) => Decoder>> = Object.freeze({
  gzip: (bytes) => ({ decompress: gunzip as unknown as Decompress, bytes, memory: INFLATE_MEMORY }),
  deflate(bytes) {
    const [first = 0] = bytes
    // Some clients send the compressed data without the zlib header, whose first byte names the method 8.
    const decompress = ((first & 0x0f) === 8 ? inflate : inflateRaw) as unknown as Decompress
    return { decompress, bytes, memory: INFLATE_MEMORY }
  },
  br: (bytes, limit) => ({
    decompress: brotliDecompress as unknown as Decompress,
    bytes: narrowed(bytes, limit),
    memory: brotliWindowBytes(limit) + BROTLI_TABLES,
  }),
  zstd(bytes) {
    invariant(zstd !== null, 'zstd is accepted, but this version of Node lacks it')
    const params = { [zstd.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW }
    return { decompress: zstd.zstdDecompress as unknown as Decompress, bytes, memory: ZSTD_MEMORY, params }
  },
})

/** Returns the coding of the body; `null` if it has none. Fails with 415 for a coding that is not accepted, and for several codings. */
export function contentCoding(request: HttpRequest, accepted: readonly ContentCoding[]): ContentCoding | null {
  const header = request.header('content-encoding')
  if (header === undefined || !request.hasBody) return null
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  const [name = '', ...others] = names.filter((each) => each !== '' && each !== 'identity')
  if (name === '') return null
  const coding = name === 'x-gzip' ? 'gzip' : name
  if (others.length === 0 && isContentCoding(coding) && accepted.includes(coding)) return coding
  const list = accepted.length === 0 ? 'identity' : accepted.join(', ')
  return fail(
    'CONTENT_ENCODING_UNSUPPORTED',
    { encoding: header, accepted: list },
    { source: { header: 'Content-Encoding' }, headers: ['Accept-Encoding', list] },
  )
}

/**
 * Decompresses a body on another thread. The limit applies to the decompressed bytes: decompression stops there, so that a small
 * body cannot become a huge one. Decoders wait for each other if they would need too much memory.
 */
export async function decompressed(
  bytes: Uint8Array,
  coding: ContentCoding,
  { limit, memory }: { readonly limit: number; readonly memory: BodyMemory },
): Promise<Uint8Array | 'too-large'> {
  if (coding === 'zstd' && !isWholeZstd(bytes)) throw undecodable(coding)
  if (coding === 'br' && firstBlockBytes(bytes) > limit) return 'too-large'
  const decoder = decoders[coding](bytes, limit)
  // The parts of the output are joined at the end.
  return memory.decode(decoder.memory + 2 * limit, () => run(decoder, coding, limit))
}

function run(
  { decompress, bytes, params }: Decoder,
  coding: ContentCoding,
  limit: number,
): Promise<Uint8Array | 'too-large'> {
  const options: DecompressOptions = { maxOutputLength: limit, info: true, ...(params === undefined ? {} : { params }) }
  return new Promise((resolve, reject) => {
    decompress(bytes, options, (error, result) => {
      if (error?.code === 'ERR_BUFFER_TOO_LARGE') resolve('too-large')
      // `node:zlib` ignores what follows the end of the compressed data.
      else if (error !== null || result.engine.bytesWritten < bytes.byteLength) reject(undecodable(coding))
      else resolve(result.buffer)
    })
  })
}

function undecodable(coding: ContentCoding): unknown {
  try {
    return fail('REQUEST_BODY_UNDECODABLE', { encoding: coding }, { source: { header: 'Content-Encoding' } })
  } catch (thrown) {
    return thrown
  }
}
