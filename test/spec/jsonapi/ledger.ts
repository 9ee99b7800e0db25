/**
 * A statement of the list that the format publishes, and its status. The list has the wording of 1.0 in places. If it differs from the
 * text of 1.1 or from the specification of this service, these win, and the ledger has a note.
 */
export interface Statement {
  readonly level: 'MUST' | 'SHOULD' | 'RECOMMENDED' | 'MAY'
  /** How often the list has the id; 0 for a statement that only the text has. Default: once. */
  readonly times?: number
  /** The reason for `superseded`, or a remark. */
  readonly note?: string
  /**
   * - `tested`: tests check that the server follows it.
   * - `client`: it applies to clients only.
   * - `superseded`: the service does something else. `note` has the reason, and tests may show the behavior.
   */
  readonly status: 'tested' | 'client' | 'superseded'
}

const must = { level: 'MUST', status: 'tested' } as const
const should = { level: 'SHOULD', status: 'tested' } as const
const may = { level: 'MAY', status: 'tested' } as const

/** https://jsonapi.org/format/1.1/#crud */
export const crudStatements = {
  'create-support': may,
  'modify-delete-support': may,
  'crud-atomic': must,

  'create-single-resource': must,
  'create-type-member': must,
  'create-relationships-member': {
    ...must,
    note: 'A relationship without `data` is accepted and does not change the members. So clients may send back what they have read.',
  },
  'create-accept-client-generated-ids': may,
  'create-client-generated-ids-key': {
    ...must,
    note: 'The type declares the format of its ids: a UUID, or any other.',
  },
  'create-client-generated-ids-uuid': {
    ...should,
    status: 'client',
    note: 'Clients should send UUIDs. A type can require them with `uuid()`.',
  },
  'create-client-generated-ids-forbidden': must,
  'create-responses-201-status': {
    ...must,
    note: 'A type may declare another response, such as `noContent()`.',
  },
  'create-responses-201-location': should,
  'create-responses-201-document': must,
  'create-responses-201-self': must,
  'create-responses-202': must,
  'create-responses-204': must,
  'create-responses-403': {
    ...may,
    status: 'superseded',
    note: 'HTTP has 405 and `Allow` for a method that a resource does not support.',
  },
  'create-responses-404-related': must,
  'create-responses-409-exists': must,
  'create-responses-409-bad-type': must,
  'create-responses-409-error-details': should,
  'create-responses-other-status': may,
  'create-responses-other-error-details': may,
  'create-http-semantics': must,

  'update-patch-resource': must,
  'update-patch-resource-members': must,
  'update-resource-attributes': may,
  'update-interpret-resource-attributes': must,
  'update-resource-relationships': may,
  'update-interpret-resource-relationships': must,
  'update-resource-relationship-value': {
    ...must,
    note: 'A relationship without `data` is accepted and does not change the members. So clients may send back what they have read.',
  },
  'update-resource-relationship-reject-full-replacement': may,
  'update-resource-relationship-reject-full-replacement-response': must,
  'update-resource-202-status': must,
  'update-resource-200-status': must,
  'update-resource-relationship-200-response': must,
  'update-resource-200-meta': must,
  'update-resource-200-meta-representation': must,
  'update-resource-204-status': must,
  'update-resource-403-status': {
    ...must,
    note: 'HTTP has 405 and `Allow` for a method that a resource does not support.',
  },
  'update-resource-404-status': must,
  'update-resource-404-related': must,
  'update-resource-409-status': {
    ...may,
    status: 'superseded',
    note: 'All violations are reported in one response, and this is one of them.',
  },
  'update-resource-409-no-match': must,
  'update-resource-409-details': { ...should, times: 2 },
  'update-resource-other-status': { ...may, times: 2 },
  'update-resource-other-semantics': may,
  'update-resource-http-semantics': must,

  'respond-patch-to-one-relationship-link': must,
  'patch-to-one-data-member': must,
  'patch-to-one-response': must,
  'respond-patch-post-delete-to-many-relationship-link': must,
  'patch-post-delete-to-many-data-member': must,
  'patch-to-many-complete-replace': must,
  'post-to-many-add': must,
  'post-to-many-add-again': { ...must, times: 2 },
  'post-to-many-response': must,
  'delete-to-many': { ...must, times: 2 },
  'delete-to-many-success': must,
  'updating-relationship-202-status': must,
  'updating-relationship-204-status': {
    ...must,
    note: 'A client gets the linkage with `Prefer: return=representation`.',
  },
  'updating-relationship-200-status': must,
  'updating-relationship-200-response': must,
  'updating-relationship-200-meta': must,
  'updating-relationship-200-meta-content': must,
  'updating-relationship-403-status': must,
  'updating-relationship-other-status': may,
  'updating-relationship-other-details': may,
  'update-relationship-http-semantics': must,

  'delete-202-status': {
    ...must,
    status: 'superseded',
    note: 'Creates and updates can be deferred, deletions cannot. An action can respond 202 and delete later.',
  },
  'delete-204-status': must,
  'delete-200-status': must,
  'delete-404-status': should,
  'deleting-other-status': may,
  'deleting-other-details': may,
  'deleting-http-semantics': must,
} as const satisfies Readonly<Record<string, Statement>>
