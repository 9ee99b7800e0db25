import { acceptedAmong } from '../../core/document/accepted-types.js'
import { MEDIA_TYPE } from '../../core/document/media-type.js'
import type { CompiledExport } from '../../declare/resource/parts/export.js'
import { exportMediaTypes } from '../../declare/resource/parts/export.js'
import type { Negotiated } from './accept.js'

// A range of all types means the document.
/** Returns the export that a client prefers to a document; `null` if it prefers none. */
export function negotiateExport(accept: string | undefined, { formats }: CompiledExport): Negotiated | null {
  if (accept === undefined) return null
  const [preferred] = acceptedAmong(accept, [MEDIA_TYPE, ...formats.map((format) => exportMediaTypes[format])])
  const exportAs = formats.find((format) => exportMediaTypes[format] === preferred)
  return exportAs === undefined ? null : { profiles: noNames, extensions: noNames, exportAs }
}

const noNames: readonly string[] = Object.freeze([])
