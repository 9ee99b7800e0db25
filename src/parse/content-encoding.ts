import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { fail } from '../errors/json-api-error.js'
import type { HttpRequest } from '../http/request.js'

/** The content codings that a body may have (RFC 9110, section 8.4.1). */
export type ContentCoding = 'gzip' | 'deflate' | 'br'

type Decompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  callback: (error: NodeJS.ErrnoException | null, result: Buffer) => void,
) => void

const decoders: Readonly<Record<ContentCoding, (bytes: Uint8Array) => Decompress>> = Object.freeze({
  gzip: () => gunzip,
  // Some clients send the compressed data without the zlib header, whose first byte names the method 8.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? inflate : inflateRaw),
  br: () => brotliDecompress,
})

const ACCEPTED = 'gzip, deflate, br'

/** Returns the coding of the body; `null` if it has none. Fails with 415 for an unknown coding, and for several. */
export function contentCoding(request: HttpRequest): ContentCoding | null {
  const header = request.header('content-encoding')
  if (header === undefined || !request.hasBody) return null
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  const [name = '', ...others] = names.filter((each) => each !== '' && each !== 'identity')
  if (name === '') return null
  const coding = name === 'x-gzip' ? 'gzip' : name
  if (others.length === 0 && isContentCoding(coding)) return coding
  return fail(
    'CONTENT_ENCODING_UNSUPPORTED',
    { encoding: header, accepted: ACCEPTED },
    { source: { header: 'Content-Encoding' }, headers: ['Accept-Encoding', ACCEPTED] },
  )
}

function isContentCoding(name: string): name is ContentCoding {
  return Object.hasOwn(decoders, name)
}

/** Decompresses a body. The limit is that of the decompressed bytes, so that a small body cannot become a huge one. */
export function decompressed(
  bytes: Uint8Array,
  coding: ContentCoding,
  limit: number,
): Promise<Uint8Array | 'too-large'> {
  return new Promise((resolve, reject) => {
    decoders[coding](bytes)(bytes, { maxOutputLength: limit }, (error, result) => {
      if (error === null) resolve(result)
      else if (error.code === 'ERR_BUFFER_TOO_LARGE') resolve('too-large')
      else reject(undecodable(coding))
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
