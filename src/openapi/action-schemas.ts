import type { ServedType } from '../resource/capabilities/served-type.js'
import type { JsonSchema } from '../resource/json-schema.js'
import type { Api } from './described-server.js'
import { includedMember } from './included-types.js'
import { resourceSchema } from './resource-schemas.js'
import { documentLinks, documentMembers, requiredMembers } from './shared-schemas.js'

/** Returns the schema of the document of an action, which may have one resource, several, or none. */
export function actionDocument(api: Api, served: ServedType): JsonSchema {
  const resource = resourceSchema(api, served)
  return {
    type: 'object',
    properties: {
      data: { anyOf: [resource, { type: 'array', items: resource }, { type: 'null' }] },
      ...includedMember(api, [served]),
      ...documentMembers(api),
      links: documentLinks(api),
    },
    required: ['data', 'links', ...requiredMembers(api)],
  }
}
