import { type RuleChapter, rule } from './service-rule.js'

/** The rules of queries, includes and pages. */
export const queryRules: readonly RuleChapter[] = [
  {
    title: 'Query parameters',
    rules: [
      rule(
        '`fields[TYPE]` leaves out members that it does not list. Their functions do not run.',
        'declare/resource/reading/selection.ts',
        'spec/fields',
        'only functions of the selected members run',
      ),
      rule(
        'An unknown member of a fieldset is 400.',
        'serve/read/plan/refuse-query.ts',
        'spec/query-parameters',
        'an unknown member is FIELDSET_MEMBER_UNRECOGNIZED, and the detail names all of them',
      ),
      rule(
        '`include` is a list of paths.',
        'serve/operation/read-query.ts',
        'spec/query-parameters',
        'include is a flat list of paths: an empty one includes nothing, an absent one is null',
      ),
      rule(
        '`sort` is a list of keys. A minus means descending.',
        'serve/read/query/read-orders.ts',
        'spec/sorts',
        'the first is the most significant, each has its own direction',
      ),
      rule(
        'An unknown filter is 400 `FILTERING_UNRECOGNIZED`.',
        'serve/read/query/read-conditions.ts',
        'spec/query-parameters',
        'an undeclared filter is FILTERING_UNRECOGNIZED, with its key',
      ),
      rule(
        '`withCount` needs the profile and a countable type.',
        'serve/read/graph/count-relations.ts',
        'spec/counting',
        'is 400 on a resource that is not countable',
      ),
      rule(
        '`relatedQuery`, or `rQ`, filters and sorts linkage by the include path, if its profile is negotiated.',
        'serve/operation/read-related-query.ts',
        'spec/relationship-queries',
        'has the short form rQ; if both set the same part, the long one wins',
      ),
      rule(
        'Malformed values of `fields` and `include` are ignored.',
        'serve/operation/read-query.ts',
        'spec/query-parameters',
        'malformed values inside fields and include are skipped',
      ),
      rule(
        'An unknown family is 400 `QUERY_PARAM_UNRECOGNIZED`, unless strict validation is off.',
        'serve/operation/read-query.ts',
        'spec/query-families',
        'is QUERY_PARAM_UNRECOGNIZED at %s, with the family as the parameter',
      ),
    ],
  },
  {
    title: 'Compound documents',
    rules: [
      rule(
        'Related resources are in `included`, and `data` has linkage only.',
        'serve/render/document-frame.ts',
        'spec/compound-documents',
        'are in top-level included; data has linkage only',
      ),
      rule(
        'No resource is in a document twice.',
        'serve/read/graph/show-resources.ts',
        'spec/compound-documents',
        'when two paths reach it',
      ),
      rule(
        'Fieldsets of their own type apply to included resources.',
        'serve/render/resources-writer.ts',
        'spec/compound-documents',
        'primary and included resources of one type share the fieldset',
      ),
      rule(
        'Default includes apply only to requests without `include`.',
        'serve/read/plan/default-inclusion.ts',
        'spec/default-includes',
        'apply when the request has no include',
      ),
      rule(
        'A path needs includable relations, an allowed depth and an allowed path. A listed path allows its ancestors.',
        'serve/read/plan/requested-inclusion.ts',
        'spec/include-paths',
        'a listed deep path implies its ancestors but not siblings',
      ),
      rule(
        'The depth of the type wins over that of the server. Default includes stop there without an error.',
        'serve/read/plan/default-inclusion.ts',
        'spec/default-includes',
        'drops an over-deep expansion silently while linkage stays',
      ),
      rule(
        'Each violation is 400 with its own code, at `include`, and lists the paths.',
        'serve/read/plan/requested-inclusion.ts',
        'spec/include-paths',
        'are reported together, each kind with its offending paths',
      ),
    ],
  },
  {
    title: 'Pagination',
    rules: [
      rule(
        'The paginator of a list is that of the relation, of the related type or of the server.',
        'declare/pagination/choose-paginator.ts',
        'spec/effective-paginator',
        "is the related resource's over the server default, not that of the parent",
      ),
      rule(
        'A paginator of `null` means the whole list.',
        'declare/pagination/choose-paginator.ts',
        'spec/effective-paginator',
        'null means that the collection is fetched whole',
      ),
      rule(
        'Pages by number, by offset, of a fixed size and by cursor have their own keys and defaults.',
        'declare/pagination/paginator.ts',
        'spec/pagination',
        'read only their own keys',
      ),
      rule(
        'Wrong values of `page` are never 400: they are replaced, or limited.',
        'declare/pagination/page-request.ts',
        'spec/pagination',
        'an absent or non-numeric value falls back to the default',
      ),
      rule(
        'The size is at most 100, unless another limit is declared. 0 turns the limit off.',
        'declare/pagination/page-request.ts',
        'spec/pagination',
        'of the size defaults to 100, and may be another',
      ),
      rule(
        'A maximum of 0 for the built-in paginator turns it off.',
        'server/assembly/declared/default-paginator.ts',
        'spec/effective-paginator',
        'is disabled by a maximum of 0: collections render unpaginated unless they declare a paginator',
      ),
      rule(
        'Page links are absolute, and keep the rest of the query.',
        'declare/pagination/page-url.ts',
        'spec/pagination-links',
        'are absolute and retain the rest of the query string',
      ),
      rule(
        '`prev`, `next` and `self` are left out where they do not apply. An empty list has no links.',
        'declare/pagination/page-description.ts',
        'spec/pagination-links',
        'are all omitted if there are no rows, whether or not they were counted',
      ),
      rule(
        'Nothing is counted by default: one row beyond the page decides about `next`.',
        'stores/row-query/cut-window.ts',
        'spec/pagination-counting',
        'next is driven by one item past the window, on $name',
      ),
      rule(
        'The paginator or the client turns counting on. The total is in `meta.total` and `meta.page.total`.',
        'serve/read/paging/list-extras.ts',
        'spec/pagination-counting',
        'by a countable resource and withCount=_self_, on demand',
      ),
      rule(
        'A list without a paginator has `meta.total`, and no `meta.page`.',
        'serve/read/paging/list-extras.ts',
        'spec/pagination-counting',
        'meta.total is rendered unconditionally, and there is no meta.page',
      ),
      rule(
        'A cursor page has `first`, `prev` and `next`. It is never counted.',
        'declare/pagination/page-description.ts',
        'spec/cursor-pagination',
        'emits first, prev and next, never self or last',
      ),
      rule(
        'A cursor is bound to the sort under which it was made.',
        'declare/pagination/cursor-token.ts',
        'spec/cursor-tokens',
        'is bound to the sort columns and directions that it was created for',
      ),
      rule(
        'A cursor page names its profile, if the server has registered it.',
        'declare/profiles/profile.ts',
        'spec/profiles-applied',
        'advertises it only if the server registered it, and is windowed all the same',
      ),
      rule(
        'An include by cursor has the first page of each parent, and names the profile.',
        'serve/read/plan/relation-read.ts',
        'spec/cursor-includes',
        'advertises the profile even when the primary collection is page-based',
      ),
      rule(
        '`meta.page` and links follow the kind of page.',
        'declare/pagination/page-description.ts',
        'spec/cursor-pagination',
        'has in meta.page whether more follow, and the range of the page',
      ),
      rule(
        'Two kinds of one name in a menu are a fault.',
        'declare/pagination/paginator.ts',
        'spec/pagination-menu',
        'two children of one kind are a wiring error',
      ),
      rule(
        '`page[kind]` chooses a kind of a menu. An unknown one is 400 and lists the kinds.',
        'declare/pagination/choose-paginator.ts',
        'spec/pagination-menu',
        'that is unknown is 400, with the available kinds, on $name',
      ),
      rule(
        'A key that only one kind reads chooses it. A shared key does not.',
        'declare/pagination/choose-paginator.ts',
        'spec/pagination-menu',
        'page[%s] selects cursor',
      ),
      rule(
        'In OpenAPI, `page` is one parameter, and a menu is one of several objects.',
        'describe/openapi/page-schemas.ts',
        'openapi/page-menus',
        'each kind is a constant that may be left out, and there are no other keys',
      ),
    ],
  },
]
