import { zstd } from '../../../core/http/content-coding.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'

/** The content codings of responses. */
export type ResponseCoding = 'zstd' | 'br' | 'gzip'

/**
 * How responses are compressed: the setting `compression`.
 *
 * @example
 * ```ts
 * const compression: ServerSettings['compression'] = { encodings: ['gzip'], minBytes: 4096, levels: { gzip: 4 } }
 * createServer({ resources: [albums, artists], data: memoryData(), compression })
 * ```
 */
export interface CompressionSettings {
  /**
   * The content codings, the preferred one first: among codings that a client accepts equally, the first one is used. Default: `zstd`,
   * if Node has it, `br` and `gzip`.
   */
  readonly encodings?: readonly ResponseCoding[]
  /** The size of the smallest body that is compressed, in bytes. Default: 1,024. */
  readonly minBytes?: number
  /** The level of each coding. Higher ones take more time. Default: `{ zstd: 3, br: 4, gzip: 6 }`. */
  readonly levels?: { readonly [Coding in ResponseCoding]?: number }
}

/** The setting with its defaults. */
export interface CompiledCompression {
  readonly encodings: readonly ResponseCoding[]
  readonly minBytes: number
  readonly levels: Readonly<Record<ResponseCoding, number>>
}

/** The lowest and the highest level of each coding. */
export const levelsOf: Readonly<Record<ResponseCoding, readonly [lowest: number, highest: number]>> = Object.freeze({
  zstd: [1, 22],
  br: [0, 11],
  gzip: [1, 9],
})

/** Returns the setting `compression` with its defaults; `null` if responses are not compressed. */
export function compiledCompression(setting: boolean | CompressionSettings | undefined): CompiledCompression | null {
  if (setting === undefined || setting === false) return null
  const { encodings, minBytes = 1024, levels }: CompressionSettings = isPlainObject(setting) ? setting : {}
  return Object.freeze<CompiledCompression>({
    encodings: encodings ?? (zstd === null ? ['br', 'gzip'] : ['zstd', 'br', 'gzip']),
    // An empty body is not compressed: the result would be longer.
    minBytes: Math.max(1, minBytes),
    levels: { zstd: 3, br: 4, gzip: 6, ...levels },
  })
}
