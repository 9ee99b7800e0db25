/** https://jsonapi.org/format/1.1/#crud-deleting */
export const deletingStatements = {
  'delete-202-status': {
    level: 'MUST',
    seen: 'hidden',
    text: 'If a deletion request has been accepted for processing, but the processing has not been completed by the time the server responds, the server MUST return a `202 Accepted` status code.',
    needs: 'a server that completes a deletion later',
  },
  'delete-204-status': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `204 No Content` if a deletion is successful and no content is returned.',
    needs: 'a resource that can be deleted',
  },
  'delete-200-status': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST return `200 OK` if a deletion is successful, and it responds with a document, which has no primary data.',
    needs: 'a server that responds to deletions with a document',
  },
  'delete-404-status': {
    level: 'SHOULD',
    seen: 'write',
    text: 'A server SHOULD return a 404 Not Found status code if a deletion request fails due to the resource not existing.',
    needs: 'a resource that can be deleted',
  },
  'deleting-other-status': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY respond with other HTTP status codes.',
  },
  'deleting-other-details': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY include error details with error responses.',
  },
  'deleting-http-semantics': {
    level: 'MUST',
    seen: 'write',
    text: 'A server MUST prepare responses, and a client MUST interpret responses, in accordance with HTTP semantics.',
    needs: 'a resource that can be deleted',
  },
} as const
