import { type CallOptions, callServer, type ClientContext, documentBody, type SentBody } from './call-server.js'
import { queryString } from './query-string.js'
import { linkageResult, resourceResult } from './read-result.js'
import type { TypeAddress } from './type-address.js'
import { linkageData, resourceObject, type SentLinkage, type SentResource } from './write-document.js'

/** The writes of resources. */
export function resourceWrites(context: ClientContext, { collection, resource }: TypeAddress, type: string): object {
  return {
    create: async (created: SentResource, options?: CallOptions): Promise<object> =>
      send(context, 'POST', collection, resourceBody(type, created), options),
    update: async (id: string, changes: SentResource, options?: CallOptions): Promise<object> =>
      send(context, 'PATCH', resource(id), resourceBody(type, { ...changes, id }), options),
    upsert: async (id: string, upserted: SentResource, options?: CallOptions): Promise<object> =>
      send(context, 'PUT', resource(id), resourceBody(type, { ...upserted, id }), options),
    delete: async (id: string, options?: CallOptions): Promise<object> =>
      send(context, 'DELETE', resource(id), undefined, options),
  }
}

/** The writes of relationships. */
export function relationshipWrites(context: ClientContext, { relationship }: TypeAddress): object {
  const change =
    (method: string) =>
    async (id: string, relation: string, members: SentLinkage, options?: CallOptions): Promise<object> => {
      const body = documentBody({ data: linkageData(members) })
      return linkageResult(await callServer(context, method, relationship(id, relation), options, body))
    }
  return { add: change('POST'), remove: change('DELETE'), replace: change('PATCH') }
}

/** The actions on one resource, and on the collection. */
export function actionCalls(context: ClientContext, { collection, resource }: TypeAddress, type: string): object {
  const run = (base: string, action: string, input: ActionInput | null, options: CallOptions = {}): Promise<object> => {
    const body = input === null ? undefined : inputBody(type, input)
    const url = `${base}/-actions/${encodeURIComponent(action)}`
    return send(context, options.method ?? 'POST', url, body, { ...options, mayBeBytes: true })
  }
  return {
    act: async (id: string, action: string, input: ActionInput | null = null, options?: CallOptions): Promise<object> =>
      run(resource(id), action, input, options),
    run: async (action: string, input: ActionInput | null = null, options?: CallOptions): Promise<object> =>
      run(collection, action, input, options),
  }
}

/** The input of an action: bytes with their type, or a resource. */
type ActionInput = SentResource & { readonly body?: RequestInit['body']; readonly contentType?: string }

function inputBody(type: string, input: ActionInput): SentBody {
  const { body, contentType } = input
  return contentType === undefined ? resourceBody(type, input) : { content: body, type: contentType }
}

function resourceBody(type: string, resource: SentResource): SentBody {
  return documentBody({ data: resourceObject(type, resource) })
}

async function send(
  context: ClientContext,
  method: string,
  url: string,
  body: SentBody | undefined,
  options: CallOptions = {},
): Promise<object> {
  return resourceResult(await callServer(context, method, `${url}${queryString(options)}`, options, body), options)
}
