import { type RuleChapter, rule } from './service-rule.js'

/** The rules of fields, ids, relations and documents. */
export const fieldRules: readonly RuleChapter[] = [
  {
    title: 'Fields',
    rules: [
      rule(
        '`required()` needs a value on writes, `requiredOnCreate()` on creates only.',
        'serve/validation/attribute-problems.ts',
        'spec/fields',
        'requiredOnCreate() demands nothing on update',
      ),
      rule(
        'Rules such as `maxLength()` and `pattern()` are checked on writes, and all violations are reported together.',
        'serve/validation/constraint-violations.ts',
        'spec/fields',
        'every violation of a document is reported together, with its pointer',
      ),
      rule(
        'Clients never write a `readOnly()` field.',
        'serve/write/document/writable-members.ts',
        'spec/fields',
        'readOnly() is never written by clients: sent values are ignored, and not validated',
      ),
      rule(
        '`readOnlyOnUpdate()` is accepted on creates only.',
        'serve/write/document/writable-members.ts',
        'spec/fields',
        'readOnlyOnUpdate() is accepted on create and frozen on PATCH',
      ),
      rule(
        'A `writeOnly()` field is validated and never rendered.',
        'declare/resource/fields/visible-field.ts',
        'spec/fields',
        'is written, and never rendered, not even when named in fields',
      ),
      rule(
        'A `hidden()` field is never rendered, also if `fields` names it.',
        'declare/resource/fields/visible-field.ts',
        'spec/fields',
        'is never rendered, even when named in fields',
      ),
      rule(
        'A `computed()` field has no column.',
        'declare/resource/reading/attribute-reader.ts',
        'spec/fields',
        'computed() is derived at serialization time, without a stored column',
      ),
      rule(
        '`extractUsing()` reads the value of a field from the object.',
        'declare/resource/reading/attribute-reader.ts',
        'spec/fields',
        'extractUsing() reads the value from the object, and the cast of the kind still runs',
      ),
      rule(
        'A `sparseByDefault()` field is rendered only if `fields` names it.',
        'declare/resource/reading/selection.ts',
        'spec/fields',
        'sparseByDefault() is rendered only when named, and its value hook is skipped otherwise',
      ),
      rule(
        'A `notSparseField()` is always rendered.',
        'declare/resource/reading/selection.ts',
        'spec/fields',
        'notSparseField() is rendered whatever the fieldset is',
      ),
    ],
  },
  {
    title: 'Ids',
    rules: [
      rule(
        'The id is always rendered, as a string.',
        'declare/resource/reading/row-linkage.ts',
        'spec/the-id-field',
        'it is always rendered, and exempt from sparse fieldsets',
      ),
      rule(
        'An id of the client is 403, unless the type allows it.',
        'serve/write/document/resource-document.ts',
        'spec/the-id-field',
        'by default a client id is rejected with 403',
      ),
      rule(
        '`requireClientId()` makes it 403 to send none.',
        'serve/write/document/resource-document.ts',
        'spec/the-id-field',
        'requireClientId() without an id is 403',
      ),
      rule(
        'Without an id of the client, the store assigns one.',
        'serve/write/new-resource.ts',
        'spec/the-id-field',
        'by default the store assigns it',
      ),
      rule(
        '`generated()` makes a UUID or ULID. Other formats are a build fault.',
        'server/assembly/checks/generated-ids.ts',
        'spec/the-id-field',
        'generated() on a format that cannot be generated is a build-time failure',
      ),
      rule(
        '`generateUsing()` returns the key, which is stored as it is.',
        'server/assembly/compile/compile-id.ts',
        'spec/the-id-field',
        'generateUsing() returns the storage key, set as it is',
      ),
      rule(
        '`matchAs()` restricts the route too: a malformed id is 404.',
        'server/assembly/compile/compile-id.ts',
        'spec/the-id-field',
        'matchAs() also constrains the route: a malformed id is a route miss',
      ),
      rule(
        '`encodeUsing()` gives clients another id than the store has.',
        'declare/resource/reading/row-linkage.ts',
        'spec/the-id-field',
        'makes the wire id encode(storageKey), while the store has the real key',
      ),
      rule(
        'The format of an id is checked before it is decoded. A violation is 422 at `/data/id`.',
        'server/assembly/compile/compile-id.ts',
        'spec/the-id-field',
        'the format is checked before any decode',
      ),
      rule(
        'Ids in linkage are checked by the format of the related type.',
        'serve/write/linkage/linkage-problems.ts',
        'spec/ids-formats',
        'are checked in linkage of every kind, by the type that it names',
      ),
      rule(
        'An id without a format is any text that is not empty.',
        'server/assembly/compile/compile-id.ts',
        'spec/the-id-field',
        'a type whose id declares no format accepts any non-empty string',
      ),
    ],
  },
  {
    title: 'Relations',
    rules: [
      rule(
        'There are six kinds of relations: one or many, with the key here, there or in join rows, of one or several types.',
        'declare/resource/relations/relation-kit.ts',
        'spec/ids-encoded',
        'in linkage of every kind, in included resources, and at both URLs of a relation',
      ),
      rule(
        'Fields of join rows are `meta.pivot`.',
        'serve/read/graph/pivot-reader.ts',
        'spec/pivot-fields',
        'of the identifiers of a relationship read',
      ),
      rule(
        'A relation may have its own paginator, or none.',
        'serve/read/plan/relation-query.ts',
        'spec/effective-paginator',
        "is the relation's over the related resource's",
      ),
      rule(
        'A relation without a related endpoint is 404 there, and has no such link.',
        'server/assembly/serve-types.ts',
        'spec/related-read',
        'suppressed gives 404 with RELATIONSHIP_NOT_EXISTS, and its link member is omitted',
      ),
      rule(
        'A relation without a relationship endpoint is 404 there, and has no such link.',
        'server/assembly/serve-types.ts',
        'spec/relationship-read',
        'suppressed, and its link member is omitted',
      ),
      rule(
        '`cannotBeIncluded()` makes an include 400, and is left out of default includes.',
        'serve/read/plan/requested-inclusion.ts',
        'spec/default-includes',
        'drops a relation that cannot be included; its linkage and links are unaffected',
      ),
      rule(
        'A to-one relation with its key in the row always has linkage.',
        'declare/resource/reading/row-linkage.ts',
        'spec/linkage',
        'BelongsTo: single, collection, related, included',
      ),
      rule(
        'Other relations have linkage only if their rows are loaded.',
        'serve/render/relationships-writer.ts',
        'spec/linkage',
        'to many renders linkage only when the related data is already loaded',
      ),
      rule(
        'An include loads the relation: linkage and `included` are there.',
        'serve/read/graph/read-relation.ts',
        'spec/linkage',
        'that is explicitly included is fetched, and both linkage and included entries appear',
      ),
      rule(
        'A related resource is rendered as the type that the relation declares.',
        'serve/read/graph/show-resources.ts',
        'spec/linkage',
        'in linkage: a relation may refer to a narrower view of a model that is also exposed in full',
      ),
      rule(
        'Nothing shows a member that the type does not declare.',
        'serve/render/attributes-writer.ts',
        'spec/linkage',
        'fields selects no other member of the row',
      ),
    ],
  },
  {
    title: 'Documents',
    rules: [
      rule(
        'A resource object has `type`, `id`, `attributes`, `relationships`, `links` and `meta`, in this order.',
        'serve/render/resource-writer.ts',
        'spec/document-shapes',
        'has type, id, attributes, relationships, links and meta, in this order, and its fields in the order of the declaration',
      ),
      rule(
        '`links.self` of a resource is the base URI, the path segment and the id.',
        'serve/render/resource-writer.ts',
        'spec/document-shapes',
        'is {base_uri}/{uriType}/{id}',
      ),
      rule(
        '`links.self` of a document is the request URI, or the URI of the page.',
        'serve/render/render-response.ts',
        'spec/document-shapes',
        'is the link of the page on a paginated collection, next to the links of the other pages',
      ),
      rule(
        'The base URI is a setting. Without it, it is the scheme and host of the request.',
        'server/journey/rendering-for.ts',
        'spec/document-shapes',
        'is the scheme and host of the request when none is configured',
      ),
    ],
  },
]
