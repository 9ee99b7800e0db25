/** https://jsonapi.org/format/1.1/#crud-creating */
export const creatingStatements = {
  'create-support': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY allow resources of a given type to be created.',
  },
  'modify-delete-support': {
    level: 'MAY',
    seen: 'permission',
    text: 'It MAY also allow existing resources to be modified or deleted.',
  },
  'crud-atomic': {
    level: 'MUST',
    seen: 'write',
    text: 'A request MUST completely succeed or fail (in a single "transaction"). No partial updates are allowed.',
    needs: 'a type with an attribute and a relationship that can be changed together',
  },
  'create-single-resource': {
    level: 'MUST',
    seen: 'write',
    text: 'The request MUST include a single resource object as primary data.',
    needs: 'a type that can be created',
  },
  'create-type-member': {
    level: 'MUST',
    seen: 'write',
    text: 'The resource object MUST contain at least a type member.',
    needs: 'a type that can be created',
  },
  'create-relationships-member': {
    level: 'MUST',
    seen: 'client',
    text: 'If a relationship is provided in the `relationships` member of the resource object, its value MUST be a relationship object with a `data` member.',
  },
  'create-accept-client-generated-ids': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY accept a client-generated ID along with a request to create a resource.',
  },
  'create-client-generated-ids-key': {
    level: 'MUST',
    seen: 'client',
    text: 'A client-generated ID MUST be specified with an `id` key, the value of which MUST be a universally unique identifier.',
  },
  'create-client-generated-ids-uuid': {
    level: 'SHOULD',
    seen: 'client',
    text: 'The client SHOULD use a properly generated and formatted *UUID* as described in RFC 4122 [RFC4122].',
  },
  'create-client-generated-ids-forbidden': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `403 Forbidden` in response to an unsupported request to create a resource with a client-generated ID.',
    needs: 'a type that can be created, but not with a client-generated ID',
  },
  'create-responses-201-status': {
    level: 'MUST',
    seen: 'write',
    text: 'If a resource has been created, and the server has assigned its `id` or changed it in another way, the server MUST return `201 Created`.',
    needs: 'a type that can be created',
  },
  'create-responses-201-location': {
    level: 'SHOULD',
    seen: 'write',
    text: 'The response `201 Created` SHOULD include a `Location` header that identifies the new resource.',
    needs: 'a type that can be created',
  },
  'create-responses-201-document': {
    level: 'MUST',
    seen: 'write',
    text: 'The response `201 Created` MUST include a document with the created resource as primary data.',
    needs: 'a type that can be created',
  },
  'create-responses-201-self': {
    level: 'MUST',
    seen: 'write',
    text: 'If the new resource has a `self` link and the response has a `Location` header, both MUST match.',
    needs: 'a created resource with a self link, and a Location header',
  },
  'create-responses-202': {
    level: 'MUST',
    seen: 'hidden',
    text: 'If a request to create a resource has been accepted for processing, but the processing has not been completed by the time the server responds, the server MUST return a `202 Accepted` status code.',
    needs: 'a server that completes a creation later',
  },
  'create-responses-204': {
    level: 'MUST',
    seen: 'write',
    text: 'If a resource with a client-generated ID has been created, the server MUST return `201 Created` with a document, or `204 No Content` without one.',
    needs: 'a type that can be created with a client-generated ID',
  },
  'create-responses-403': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY return `403 Forbidden` in response to an unsupported request to create a resource.',
  },
  'create-responses-404-related': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `404 Not Found` when processing a request that references a related resource that does not exist.',
    needs: 'a type that can be created with a to-one relationship',
  },
  'create-responses-409-exists': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `409 Conflict` when processing a `POST` request to create a resource with a client-generated ID that already exists.',
    needs: 'a type that can be created with a client-generated ID',
  },
  'create-responses-409-bad-type': {
    level: 'MUST',
    seen: 'write',
    text: "A server MUST return `409 Conflict` when processing a `POST` request in which the resource object's type is not among the type(s) that constitute the collection represented by the endpoint.",
    needs: 'a type that can be created',
  },
  'create-responses-409-error-details': {
    level: 'SHOULD',
    seen: 'write',
    text: 'A server SHOULD include error details and provide enough information to recognize the source of the conflict.',
    needs: 'a response 409 to a request to create',
  },
  'create-responses-other-status': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY respond with other HTTP status codes.',
  },
  'create-responses-other-error-details': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY include error details with error responses.',
  },
  'create-http-semantics': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST prepare responses, and a client MUST interpret responses, in accordance with HTTP semantics.',
    needs: 'a type that can be created',
  },
} as const
