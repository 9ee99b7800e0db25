import type { QueryParameters } from '../operation/query-parameters.js'
import type { Resources, ResultValue } from '../operation/response-value.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { forEachInSlices } from '../../core/util/time-slices.js'
import { json } from './json.js'
import { linkageWriter } from './linkage-writer.js'
import type { ListOptions, ResourceNodeWriter, ResourcesWriterOptions } from './resources-writer.js'
import { resourceNodeWriter, writeFirst } from './resources-writer.js'

/** Appends the results of several operations to a text: the data and meta of each, if it has them. */
export async function writeResults(
  text: string,
  results: readonly ResultValue[],
  options: ResourcesWriterOptions,
): Promise<string> {
  const { output: whole } = options
  const write = resultWriter(options)
  let written = `${text}[`
  await forEachInSlices(results, (result, index) => {
    written = whole.flush(write(index === 0 ? `${written}{` : `${written},{`, result))
  })
  return `${written}]`
}

type ResultWriter = (text: string, result: ResultValue) => string

function resultWriter({ base, output: whole, onUnshown }: ResourcesWriterOptions): ResultWriter {
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
        const write = byQuery.get(query) ?? resourceNodeWriter(resources, { base, onUnshown })
        byQuery.set(query, write)
        return withMeta(writeData(`${text}"data":`, resources, { write, whole }), meta)
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

/** Appends the primary data of one operation, which is rarely a list. */
function writeData(text: string, { primary, many }: Resources, options: ListOptions): string {
  if (!many) return writeFirst(text, primary, options)
  let written = `${text}[`
  for (const [index, node] of primary.entries()) written = options.write(index === 0 ? written : `${written},`, node)
  return `${written}]`
}

function withMeta(text: string, meta: Readonly<Record<string, unknown>> | null): string {
  return meta === null || Object.keys(meta).length === 0 ? `${text}}` : `${text},"meta":${json(meta)}}`
}
