import { pipeline, Readable, type Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { ResponseCoding } from '../assembly/declared/compression-settings.js'
import { zstd } from '../../core/http/content-coding.js'
import type { BodyStream } from '../../core/http/response.js'
import { invariant } from '../../core/util/invariant.js'

/** Compresses a stream. The client gets each part as soon as it was made. */
export function compressedStream(body: BodyStream, coding: ResponseCoding, level: number): BodyStream {
  const encoder = encoderOf(coding, level)
  // A body that fails destroys the encoder, which then fails for the client.
  pipeline(Readable.from(body, { objectMode: false, highWaterMark: 0 }), encoder, () => undefined)
  return encoder
}

function encoderOf(coding: ResponseCoding, level: number): Transform {
  switch (coding) {
    case 'gzip':
      return createGzip({ level, flush: constants.Z_SYNC_FLUSH })
    case 'br': {
      const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT, BROTLI_OPERATION_FLUSH } = constants
      const params = { [BROTLI_PARAM_QUALITY]: level, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT }
      return createBrotliCompress({ params, flush: BROTLI_OPERATION_FLUSH })
    }
    case 'zstd': {
      invariant(zstd !== null, 'zstd is offered by a Node without it')
      const { ZSTD_c_compressionLevel, ZSTD_e_flush } = zstd.constants
      return zstd.createZstdCompress({ params: { [ZSTD_c_compressionLevel]: level }, flush: ZSTD_e_flush })
    }
  }
}
