/** What a change means for clients: breaking for some that are correct, risky for some that assume too much, safe for all. */
export type Severity = 'breaking' | 'risky' | 'safe'

export const severities: readonly Severity[] = Object.freeze(['breaking', 'risky', 'safe'])

/** A kind of change. Its code never changes. */
export interface ChangeKind {
  readonly severity: Severity
  /** When it occurs, in one sentence. */
  readonly when: string
  /** What to do instead. */
  readonly remedy?: string
  /** Whether it takes away something that may have been deprecated. */
  readonly isRemoval?: true
}

const deprecateFirst = 'deprecate it with a sunset, and remove it after that day'
const keepOld = 'keep the old one beside it, and deprecate that with a sunset'

const breaking = (when: string, remedy: string): ChangeKind => ({ severity: 'breaking', when, remedy })
const removal = (when: string, remedy: string = deprecateFirst): ChangeKind => ({
  severity: 'breaking',
  when,
  remedy,
  isRemoval: true,
})
const risky = (when: string): ChangeKind => ({ severity: 'risky', when })
const safe = (when: string): ChangeKind => ({ severity: 'safe', when })

const kinds = {
  // Types and operations
  'type-removed': removal('A type is gone.'),
  'type-added': safe('A type is new.'),
  'operation-removed': removal('An operation is gone.'),
  'operation-added': safe('An operation is new.'),
  'operation-moved': breaking(
    'An operation has another method or path.',
    'keep the old path: uriType, withUriFieldName()',
  ),
  'operation-id-changed': risky('An operation has another id, after which generated clients name functions.'),
  'component-renamed': risky('A component has another name, after which generated clients name types.'),

  // Attributes, relations, and members of their values
  'member-removed': removal('An attribute, a relation or a member of a value is gone.'),
  'member-added': safe('An attribute, a relation or a member of a value is new, and requests need not have it.'),
  'member-required': breaking('Requests must have a member.', 'let requests leave it out, and fill in a default'),
  'member-optional': safe('Requests need no longer have a member.'),
  'member-not-shown': removal('Responses no longer have a member that requests may still have.'),
  'member-shown': safe('Responses have a member that only requests had.'),
  'member-not-always-shown': breaking(
    'Responses may lack a member that they always had.',
    'show it in every response, or deprecate it first',
  ),
  'member-always-shown': safe('Responses always have a member that they could lack.'),
  'member-read-only': removal('Requests can no longer have a member that responses still have.'),
  'member-writable': safe('Requests may have a member that only responses had.'),

  // Values
  'value-type-changed': breaking('Values have another type.', keepOld),
  'value-form-changed': breaking('Values are written in another form, such as dates.', keepOld),
  'request-null-refused': breaking('Requests cannot have null as a value.', 'take null for a default value'),
  'request-null-accepted': safe('Requests may have null as a value.'),
  'response-null-possible': breaking('Responses may have null as a value.', 'show a value that stands for none'),
  'response-null-gone': safe('Responses no longer have null as a value.'),
  'request-value-removed': breaking(
    'Requests cannot have one of the listed values.',
    'take the old value for a new one',
  ),
  'request-value-added': safe('Requests may have a further value of a list.'),
  'response-value-added': risky('Responses may have a further value of a list.'),
  'response-value-removed': safe('Responses no longer have one of the listed values.'),
  'request-rule-tightened': breaking(
    'Requests are held to a tighter rule.',
    'hold only new resources to it, or a new member',
  ),
  'request-rule-loosened': safe('Requests are held to a looser rule.'),
  'request-rule-changed': risky('Requests are held to another rule, and it cannot be said whether that is tighter.'),
  'response-rule-loosened': risky('Responses may have values that an earlier rule excluded.'),
  'response-rule-tightened': safe('Responses have fewer values than before.'),
  'response-rule-changed': risky('Responses have values by another rule.'),
  'request-variant-removed': breaking('Requests cannot have one of several forms of a value.', 'take the old form too'),
  'request-variant-added': safe('Requests may have a further form of a value.'),
  'response-variant-added': risky('Responses may have a further form of a value.'),
  'response-variant-removed': safe('Responses no longer have one of several forms of a value.'),
  'default-changed': risky('What applies to a request without a value is another value.'),

  // Relations and ids
  'relation-kind-changed': breaking('A relation to one leads to many, or the other way round.', keepOld),
  'request-target-removed': breaking(
    'Requests cannot relate to one of several types.',
    'keep the type among the targets',
  ),
  'request-target-added': safe('Requests may relate to a further type.'),
  'response-target-added': risky('A relation may lead to a further type.'),
  'response-target-removed': safe('A relation no longer leads to one of several types.'),
  'client-id-required': breaking(
    'Clients must send the ids of new resources.',
    'use allowClientId() instead of requireClientId()',
  ),
  'client-id-refused': breaking('Clients cannot send the ids of new resources.', 'keep allowClientId()'),
  'client-id-optional': safe('Clients need no longer send the ids of new resources.'),
  'client-id-accepted': safe('Clients may send the ids of new resources.'),

  // Queries
  'filter-removed': removal('A filter is gone.'),
  'filter-added': safe('A filter is new.'),
  'filter-form-changed': breaking('The value of a filter is written in another form.', keepOld),
  'sort-removed': removal('A sort key is gone.'),
  'sort-added': safe('A sort key is new.'),
  'default-sort-changed': risky('Collections are in another order if a request does not say which.'),
  'include-removed': removal('An include path is gone.'),
  'include-added': safe('An include path is new.'),
  'include-depth-reduced': breaking(
    'Include paths must be shorter.',
    'keep maxIncludeDepth, or allow the paths with allowedIncludePaths',
  ),
  'default-includes-changed': risky('Other resources are included if a request does not say which.'),
  'linkage-removed': removal('withLinkage cannot name a relation.'),
  'linkage-added': safe('withLinkage may name a further relation.'),
  'count-removed': removal('withCount cannot name a relation, or the collection.'),
  'count-added': safe('withCount may name a further relation, or the collection.'),
  'parameter-removed': removal('A parameter is gone.'),
  'parameter-added': safe('A parameter is new, and requests need not have it.'),
  'parameter-required': breaking('Requests must have a parameter.', 'let requests leave it out'),
  'parameter-optional': safe('Requests need no longer have a parameter.'),
  'header-ignored': risky('A request header has no effect any more, and responses do not need it.'),
  'precondition-required': breaking(
    'Writes must name the version that they are about, in If-Match.',
    'leave required: true of the version out',
  ),

  // Pages and limits
  'pages-introduced': breaking(
    'A collection that came as a whole comes in pages.',
    'keep withoutPagination(), or a paginator without a limit',
  ),
  'pages-removed': breaking(
    'A collection that came in pages comes as a whole, and page is refused.',
    'keep the paginator',
  ),
  'page-kind-changed': breaking('Pages are selected in another way.', 'offer both kinds: pageMenu([…])'),
  'page-kind-removed': breaking('A kind of pages is gone.', 'keep it in the menu'),
  'page-kind-added': safe('A kind of pages is new.'),
  'default-page-kind-changed': risky('Requests that do not say how get another kind of pages.'),
  'page-key-removed': breaking('A key of page is gone.', 'keep the names of the keys'),
  'page-key-added': safe('A key of page is new.'),
  'page-size-changed': risky('Pages have another size if a request does not say which.'),
  'page-limit-lowered': breaking('Pages have fewer resources than requests may have asked for.', 'keep maxSize'),
  'page-limit-raised': safe('Pages may have more resources.'),
  'limit-lowered': breaking('A limit of the server is lower.', 'keep the limit'),
  'limit-raised': safe('A limit of the server is higher.'),

  // Bodies and responses
  'body-required': breaking('Requests must have a body.', 'let requests leave it out'),
  'body-optional': safe('Requests need no longer have a body.'),
  'body-ignored': risky('The body of requests is no longer read.'),
  'request-media-type-removed': breaking('Requests cannot have a media type.', 'keep it'),
  'request-media-type-added': safe('Requests may have a further media type.'),
  'response-media-type-removed': breaking('Responses no longer have a media type.', 'keep it'),
  'response-media-type-added': risky('Responses may have a further media type.'),
  'response-document-removed': breaking('Responses no longer have a document.', 'keep it'),
  'response-document-added': safe('Responses have a document.'),
  'response-form-changed': breaking('The primary data of a document has another form, or another type.', keepOld),
  'success-status-removed': breaking('A status of success is gone.', 'keep it among the responses'),
  'success-status-added': risky('There is a further status of success.'),
  'error-status-added': risky('There is a further status of errors.'),
  'error-status-removed': safe('A status of errors is gone.'),
  'other-errors-added': safe('Functions of the application may fail with other statuses.'),
  'other-errors-removed': safe('No function of the application can fail with other statuses.'),
  'error-code-added': risky('There is a further code of errors.'),
  'error-code-removed': safe('A code of errors is gone.'),
  'response-header-removed': risky('Responses no longer have a header.'),
  'response-header-added': safe('Responses have a further header.'),
  'cross-origin-refused': breaking('Web pages of other origins can no longer read responses.', 'keep the setting cors'),

  // Security and addresses
  'credentials-required': breaking(
    'Requests need credentials.',
    'permit the ability to nobody in particular, or open another path',
  ),
  'credentials-sometimes-required': risky('Some requests need credentials.'),
  'credentials-not-required': risky('Requests need no credentials.'),
  'scheme-removed': breaking('A way to authenticate is gone.', 'keep the middleware beside the new one'),
  'scheme-added': safe('There is a further way to authenticate.'),
  'scheme-changed': breaking('A way to authenticate works otherwise.', keepOld),
  'address-removed': breaking('An address of the service is gone.', 'keep the prefix, or list the old address'),
  'address-added': safe('There is a further address of the service.'),
  'profile-removed': breaking('A profile is no longer supported.', 'keep it'),
  'profile-added': safe('A further profile is supported.'),

  // Deprecations and texts
  'deprecation-added': safe('Something is deprecated.'),
  'deprecation-removed': safe('Something is no longer deprecated.'),
  'sunset-earlier': risky('The end of something deprecated is earlier.'),
  'sunset-later': safe('The end of something deprecated is later.'),
  'text-changed': safe('A description, a title, an example or a tag has changed. Listed with --all.'),
} as const satisfies Readonly<Record<string, ChangeKind>>

export type ChangeCode = keyof typeof kinds

/** Every kind of change, by its code. */
export const changeKinds: Readonly<Record<ChangeCode, ChangeKind>> = Object.freeze(kinds)
