import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { ActionData } from '../../declare/resource/replies/responses.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import { singleDocument, singularDocument } from './document-schemas.js'
import { includedMember } from './included-types.js'
import { resourceSchema } from './resource-schemas.js'
import { documentLinks, documentMembers, requiredMembers } from './shared-schemas.js'

/** Returns a reference to the document of an action, which has one resource, one or none, or a list. */
export function actionDocument(api: Api, served: ServedType, data: ActionData): JsonSchema {
  switch (data) {
    case 'one':
      return singleDocument(api, served)
    case 'oneOrNull':
      return singularDocument(api, served)
    case 'many':
      return listDocument(api, served)
  }
}

/** Returns a reference to the documents with a list of resources that is not a page of the collection. */
function listDocument(api: Api, served: ServedType): JsonSchema {
  return api.components.schema(`${api.names.ofType(served.type.type)}ActionCollection`, () => ({
    type: 'object',
    properties: {
      data: { type: 'array', items: resourceSchema(api, served) },
      ...includedMember(api, [served]),
      ...documentMembers(api),
      links: documentLinks(api),
    },
    required: ['data', 'links', ...requiredMembers(api)],
  }))
}
