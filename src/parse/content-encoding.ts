import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { fail } from '../errors/json-api-error.js'
import { type ContentCoding, isContentCoding, zstd } from '../http/content-coding.js'
import type { HttpRequest } from '../http/request.js'
import { invariant } from '../util/invariant.js'
import { isWholeZstd } from './zstd-frame.js'

/** The codings of bodies that are accepted by default. */
export const DEFAULT_ENCODINGS: readonly ContentCoding[] = Object.freeze(['gzip', 'deflate', 'br'])

/** The result of a function of `node:zlib` with the option `info`. */
interface Decompressed {
  readonly buffer: Buffer
  /** Despite its name, `bytesWritten` is how much of the compressed data was used. */
  readonly engine: { readonly bytesWritten: number }
}

type Decompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number; readonly info: true },
  done: (error: NodeJS.ErrnoException | null, result: Decompressed) => void,
) => void

const decoders: Readonly<Record<ContentCoding, (bytes: Uint8Array) => Decompress>> = Object.freeze({
  gzip: () => gunzip as unknown as Decompress,
  // Some clients send the compressed data without the zlib header, whose first byte names the method 8.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? inflate : inflateRaw) as unknown as Decompress,
  br: () => brotliDecompress as unknown as Decompress,
  zstd() {
    invariant(zstd !== null, 'zstd is accepted, but this version of Node lacks it')
    return zstd.zstdDecompress as unknown as Decompress
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
 * body cannot become a huge one.
 */
export function decompressed(
  bytes: Uint8Array,
  coding: ContentCoding,
  limit: number,
): Promise<Uint8Array | 'too-large'> {
  if (coding === 'zstd' && !isWholeZstd(bytes)) return Promise.reject(undecodable(coding))
  return new Promise((resolve, reject) => {
    decoders[coding](bytes)(bytes, { maxOutputLength: limit, info: true }, (error, result) => {
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
