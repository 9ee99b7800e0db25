/** Queries. */
export const queryChanges = {
  'filter-removed': {
    severity: 'breaking',
    when: 'A filter is gone.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'filter-added': { severity: 'safe', when: 'A filter is new.' },
  'filter-form-changed': {
    severity: 'breaking',
    when: 'The value of a filter is written in another form.',
    remedy: 'keep the old one next to the new one, and deprecate it with a sunset',
  },
  'filter-search-changed': {
    severity: 'risky',
    when: 'A filter has become a full-text search, or is none any more: it finds other resources.',
  },
  'sort-removed': {
    severity: 'breaking',
    when: 'A sort key is gone.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'sort-added': { severity: 'safe', when: 'A sort key is new.' },
  'default-sort-changed': {
    severity: 'risky',
    when: 'Collections without a sort have another order.',
  },
  'include-removed': {
    severity: 'breaking',
    when: 'An include path is gone.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'include-added': { severity: 'safe', when: 'An include path is new.' },
  'include-depth-reduced': {
    severity: 'breaking',
    when: 'Include paths must be shorter.',
    remedy: 'keep maxIncludeDepth, or allow the paths with allowedIncludePaths',
  },
  'default-includes-changed': {
    severity: 'risky',
    when: 'Requests without include get other resources.',
  },
  'linkage-removed': {
    severity: 'breaking',
    when: 'withLinkage cannot name a relation.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'linkage-added': { severity: 'safe', when: 'withLinkage may name another relation.' },
  'count-removed': {
    severity: 'breaking',
    when: 'withCount cannot name a relation, or the collection.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'count-added': { severity: 'safe', when: 'withCount may name another relation, or the collection.' },
  'parameter-removed': {
    severity: 'breaking',
    when: 'A parameter is gone.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'parameter-added': { severity: 'safe', when: 'A parameter is new, and optional in requests.' },
  'parameter-required': {
    severity: 'breaking',
    when: 'A parameter is required.',
    remedy: 'make it optional',
  },
  'parameter-optional': { severity: 'safe', when: 'A parameter is optional.' },
  'header-ignored': {
    severity: 'risky',
    when: 'A request header that clients may omit no longer has an effect, such as If-None-Match.',
  },
  'precondition-required': {
    severity: 'breaking',
    when: 'Writes must send the version of the resource in If-Match.',
    remedy: 'remove required: true of the version',
  },
} as const
