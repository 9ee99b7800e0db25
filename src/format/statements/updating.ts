import type { Statements } from './statement.js'

/** https://jsonapi.org/format/1.1/#crud-updating */
export const updatingStatements = {
  'update-patch-resource': {
    level: 'MUST',
    seen: 'write',
    text: 'The `PATCH` request MUST include a single resource object as primary data.',
    needs: 'a resource that can be updated',
  },
  'update-patch-resource-members': {
    level: 'MUST',
    seen: 'write',
    text: 'The resource object MUST contain `type` and `id` members.',
    needs: 'a resource that can be updated',
  },
  'update-resource-attributes': {
    level: 'MAY',
    seen: 'permission',
    text: "Any or all of a resource's attributes MAY be included in the resource object included in a `PATCH` request.",
  },
  'update-interpret-resource-attributes': {
    level: 'MUST',
    seen: 'write',
    text: 'If a request does not include all of the attributes for a resource, the server MUST interpret the missing attributes as if they were included with their current values. It MUST NOT interpret them as `null` values.',
    needs: 'a resource that can be updated',
  },
  'update-resource-relationships': {
    level: 'MAY',
    seen: 'permission',
    text: "Any or all of a resource's relationships MAY be included in the resource object included in a `PATCH` request.",
  },
  'update-interpret-resource-relationships': {
    level: 'MUST',
    seen: 'write',
    text: 'If a request does not include all of the relationships for a resource, the server MUST interpret the missing relationships as if they were included with their current values. It MUST NOT interpret them as `null` or empty values.',
    needs: 'a resource with linkage that can be updated',
  },
  'update-resource-relationship-value': {
    level: 'MUST',
    seen: 'client',
    text: 'If a relationship is provided in the relationships member of a resource object in a `PATCH` request, its value MUST be a relationship object with a data member.',
  },
  'update-resource-relationship-reject-full-replacement': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY reject an attempt to do a full replacement of a to-many relationship.',
  },
  'update-resource-relationship-reject-full-replacement-response': {
    level: 'MUST',
    seen: 'write',
    text: 'A server that rejects a full replacement of a to-many relationship MUST reject the entire update, and return `403 Forbidden`.',
    needs: 'a resource with a to-many relationship that refuses full replacement',
  },
  'update-resource-202-status': {
    level: 'MUST',
    seen: 'hidden',
    text: 'If an update request has been accepted for processing, but the processing has not been completed by the time the server responds, the server MUST return a `202 Accepted` status code.',
    needs: 'a server that completes an update later',
  },
  'update-resource-200-status': {
    level: 'MUST',
    seen: 'write',
    text: 'If a server accepts an update, and changes the resource in other ways too, it MUST return `200 OK`.',
    needs: 'an update that changes more than the request says, or a response 204 to an update',
  },
  'update-resource-relationship-200-response': {
    level: 'MUST',
    seen: 'write',
    text: 'The response document MUST include a representation of the updated resource, as if a `GET` request was made to the URL.',
    needs: 'a response 200 to an update',
  },
  'update-resource-200-meta': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `200 OK` if an update is successful, and it responds only with top-level meta data.',
    needs: 'a server that responds to updates with meta data only',
  },
  'update-resource-200-meta-representation': {
    level: 'MUST',
    seen: 'write',
    text: 'A response to an update with only top-level meta data MUST NOT include a representation of the resource.',
    needs: 'a server that responds to updates with meta data only',
  },
  'update-resource-204-status': {
    level: 'MUST',
    seen: 'write',
    text: "If an update is successful, and the server doesn't change the resource in other ways, it MUST return `200 OK` with a document or `204 No Content` without one.",
    needs: 'a resource that can be updated',
  },
  'update-resource-403-status': {
    level: 'MUST',
    seen: 'hidden',
    text: 'A server MUST return `403 Forbidden` in response to an unsupported request to update a resource or relationship.',
    needs: 'It cannot be seen whether a request is unsupported, or refused for another reason.',
  },
  'update-resource-404-status': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `404 Not Found` when processing a request to modify a resource that does not exist.',
    needs: 'a resource that can be updated',
  },
  'update-resource-404-related': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `404 Not Found` when processing a request that references a related resource that does not exist.',
    needs: 'a resource with a to-one relationship that can be updated',
  },
  'update-resource-409-status': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY return `409 Conflict` when processing a `PATCH` request to update a resource if that update would violate other server-enforced constraints (such as a uniqueness constraint on a property other than `id`).',
  },
  'update-resource-409-no-match': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `409 Conflict` when processing a `PATCH` request in which the `type` and `id` of the resource object do not match the endpoint.',
    needs: 'a resource that can be updated',
  },
  'update-resource-409-details': {
    level: 'SHOULD',
    seen: 'write',
    text: 'A server SHOULD include error details and provide enough information to recognize the source of the conflict.',
    needs: 'a response 409 to an update',
    times: 2,
  },
  'update-resource-other-status': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY respond with other `HTTP` status codes.',
  },
  'update-resource-other-details': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY include error details with error responses.',
    listedAs: 'update-resource-other-status',
  },
  'update-resource-other-semantics': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY include error details with error responses.',
  },
  'update-resource-http-semantics': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST prepare responses, and a client MUST interpret responses, in accordance with HTTP semantics.',
    needs: 'a resource that can be updated',
  },
} as const satisfies Statements
