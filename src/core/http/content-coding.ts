import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

/**
 * A content coding of request or response bodies (RFC 9110, section 8.4.1). `zstd` needs Node 22.15 or later.
 *
 * @example
 * ```ts
 * const requestEncodings: ServerSettings['requestEncodings'] = ['gzip', 'br']
 * createServer({ resources: [albums, artists], data: memoryData(), requestEncodings })
 * ```
 */
export type ContentCoding = 'gzip' | 'deflate' | 'br' | 'zstd'

/** A function of `node:zlib`. It works on another thread. */
export type Convert<Options> = (
  bytes: Uint8Array,
  options: Options,
  done: (error: NodeJS.ErrnoException | null, result: Buffer) => void,
) => void

/** The members of `node:zlib` that Node has since 22.15. */
interface Zstd {
  readonly zstdCompress: Convert<{ readonly params: Readonly<Record<number, number>> }>
  readonly zstdDecompress: Convert<{ readonly maxOutputLength: number }>
  readonly createZstdCompress: (options: {
    readonly params: Readonly<Record<number, number>>
    readonly flush: number
  }) => Transform
  readonly constants: {
    readonly ZSTD_c_compressionLevel: number
    readonly ZSTD_d_windowLogMax: number
    readonly ZSTD_e_flush: number
  }
}

/** The functions for `zstd`; `null` if this Node has none. */
export const zstd: Zstd | null = 'zstdCompress' in zlib ? (zlib as unknown as Zstd) : null

/** Returns whether a value names a content coding that this Node can decompress. */
export function isContentCoding(value: unknown): value is ContentCoding {
  return value === 'gzip' || value === 'deflate' || value === 'br' || (value === 'zstd' && zstd !== null)
}
