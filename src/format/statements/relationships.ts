import type { Statements } from './statement.js'

/** https://jsonapi.org/format/1.1/#crud-updating-relationships */
export const relationshipStatements = {
  'respond-patch-to-one-relationship-link': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST respond to `PATCH` requests to a URL from a to-one relationship link by replacing or removing the relationship.',
    needs: 'a to-one relationship that can be changed at its self link',
  },
  'patch-to-one-data-member': {
    level: 'MUST',
    seen: 'write',
    text: 'A `PATCH` request to a to-one relationship MUST include a top-level member `data` with a resource identifier object, or `null` to remove the relationship.',
    needs: 'a to-one relationship that can be changed at its self link',
  },
  'patch-to-one-response': {
    level: 'MUST',
    seen: 'write',
    text: 'If the relationship is updated successfully then the server MUST return a successful response.',
    needs: 'a to-one relationship that can be changed at its self link',
  },
  'respond-patch-post-delete-to-many-relationship-link': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST respond to `PATCH`, `POST` and `DELETE` requests to a URL from a to-many relationship link by replacing, adding and removing members.',
    needs: 'a to-many relationship that can be changed at its self link',
  },
  'patch-post-delete-to-many-data-member': {
    level: 'MUST',
    seen: 'write',
    text: 'The body of a request to a to-many relationship MUST contain a `data` member whose value is an empty array or an array of resource identifier objects.',
    needs: 'a to-many relationship that can be changed at its self link',
  },
  'patch-to-many-complete-replace': {
    level: 'MUST',
    seen: 'write',
    text: 'If a client makes a `PATCH` request to a URL from a to-many relationship link, the server MUST either completely replace every member of the relationship, return an appropriate error response if some resources can not be found or accessed, or return a `403 Forbidden` response if complete replacement is not allowed by the server.',
    needs: 'a to-many relationship that can be changed at its self link',
  },
  'post-to-many-add': {
    level: 'MUST',
    seen: 'write',
    text: 'If a client makes a `POST` request to a URL from a relationship link, the server MUST add the specified members to the relationship unless they are already present.',
    needs: 'a to-many relationship that can be changed at its self link',
  },
  'post-to-many-add-again': {
    level: 'MUST',
    seen: 'write',
    text: 'If a given `type` and `id` is already in the relationship, the server MUST NOT add it again.',
    needs: 'a to-many relationship that can be changed at its self link',
    times: 2,
  },
  'post-to-many-response': {
    level: 'MUST',
    seen: 'write',
    text: 'If all of the specified resources can be added to, or are already present in, the relationship then the server MUST return a successful response.',
    needs: 'a to-many relationship that can be changed at its self link',
  },
  'delete-to-many': {
    level: 'MUST',
    seen: 'write',
    text: 'If the client makes a `DELETE` request to a URL from a relationship link the server MUST delete the specified members from the relationship or return a `403 Forbidden` response.',
    needs: 'a to-many relationship that can be changed at its self link',
    times: 2,
  },
  'delete-to-many-success': {
    level: 'MUST',
    seen: 'write',
    text: 'If all of the specified resources are able to be removed from, or are already missing from, the relationship then the server MUST return a successful response.',
    needs: 'a to-many relationship that can be changed at its self link',
  },
  'updating-relationship-202-status': {
    level: 'MUST',
    seen: 'hidden',
    text: 'If a relationship update request has been accepted for processing, but the processing has not been completed by the time the server responds, the server MUST return a `202 Accepted` status code.',
    needs: 'a server that completes an update of a relationship later',
  },
  'updating-relationship-204-status': {
    level: 'MUST',
    seen: 'write',
    text: "If an update of a relationship is successful, and the server doesn't change it in other ways, it MUST return `204 No Content` (1.1: or `200 OK` with a document).",
    needs: 'a relationship that can be changed at its self link',
  },
  'updating-relationship-200-status': {
    level: 'MUST',
    seen: 'write',
    text: 'If a server accepts an update but also changes the targeted relationship(s) in other ways than those specified by the request, it MUST return a `200 OK` response.',
    needs: 'a server that changes relationships in other ways than requested',
  },
  'updating-relationship-200-response': {
    level: 'MUST',
    seen: 'write',
    text: 'The response document MUST include a representation of the updated relationship(s).',
    needs: 'a response 200 to an update of a relationship',
  },
  'updating-relationship-200-meta': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `200 OK` if an update of a relationship is successful, and it responds only with top-level meta data.',
    needs: 'a server that responds to updates of relationships with meta data only',
  },
  'updating-relationship-200-meta-content': {
    level: 'MUST',
    seen: 'write',
    text: 'A response to an update of a relationship with only top-level meta data MUST NOT include a representation of the relationship.',
    needs: 'a server that responds to updates of relationships with meta data only',
  },
  'updating-relationship-403-status': {
    level: 'MUST',
    seen: 'hidden',
    text: 'A server MUST return `403 Forbidden` in response to an unsupported request to update a relationship.',
    needs: 'It cannot be seen whether a request is unsupported, or refused for another reason.',
  },
  'updating-relationship-other-status': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY respond with other HTTP status codes.',
  },
  'updating-relationship-other-details': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY include error details with error responses.',
  },
  'update-relationship-http-semantics': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST prepare responses, and a client MUST interpret responses, in accordance with HTTP semantics.',
    needs: 'a relationship that can be changed at its self link',
  },
} as const satisfies Statements
