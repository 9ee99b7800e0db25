import type { QueryParameters } from '../operation/query-parameters.js'
import type { ResultValue } from '../operation/response-value.js'
import type { RequestContext } from '../resource/request-context.js'
import { json } from './json.js'
import { linkageWriter } from './linkage-writer.js'

import type { ResourceNodeWriter } from './resources-writer.js'
import type { ResourcesWriterOptions } from './resources-writer.js'
import { resourceNodeWriter, writePrimary } from './resources-writer.js'

/** Appends the results of several operations to a text: the data and meta of each, if it has them. */
export function writeResults(
  text: string,
  results: readonly ResultValue[],
  { base, output: whole }: ResourcesWriterOptions,
): string {
  const write = resultWriter({ base, output: whole })
  let written = `${text}[`
  let hasItems = false
  for (const result of results) {
    written = whole.flush(write(hasItems ? `${written},{` : `${written}{`, result))
    hasItems = true
  }
  return `${written}]`
}

type ResultWriter = (text: string, result: ResultValue) => string

function resultWriter({ base, output: whole }: ResourcesWriterOptions): ResultWriter {
  const writeLinkage = linkageWriter([])
  // Operations of one kind on one type share their context and their query, so they can share a compiled writer.
  const writers = new Map<RequestContext, Map<QueryParameters, ResourceNodeWriter>>()
  return (text, result) => {
    switch (result.kind) {
      case 'data': {
        const { resources, meta } = result
        const { context, query } = resources
        const byQuery = writers.get(context) ?? new Map<QueryParameters, ResourceNodeWriter>()
        writers.set(context, byQuery)
        const write = byQuery.get(query) ?? resourceNodeWriter(resources, base)
        byQuery.set(query, write)
        return withMeta(writePrimary(text, resources, { write, whole }), meta)
      }
      case 'identifier':
        return withMeta(writeLinkage(`${text}"data":`, result.data), result.meta)
      case 'meta':
        return `${text}"meta":${json(result.meta ?? {})}}`
      case 'noContent':
        return `${text}}`
    }
  }
}

function withMeta(text: string, meta: Readonly<Record<string, unknown>> | null): string {
  return meta === null || Object.keys(meta).length === 0 ? `${text}}` : `${text},"meta":${json(meta)}}`
}
