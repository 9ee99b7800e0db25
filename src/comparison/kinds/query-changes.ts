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
    remedy: 'keep the old one beside it, and deprecate that with a sunset',
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
    when: 'Collections are in another order if a request does not say which.',
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
    when: 'Other resources are included if a request does not say which.',
  },
  'linkage-removed': {
    severity: 'breaking',
    when: 'withLinkage cannot name a relation.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'linkage-added': { severity: 'safe', when: 'withLinkage may name a further relation.' },
  'count-removed': {
    severity: 'breaking',
    when: 'withCount cannot name a relation, or the collection.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'count-added': { severity: 'safe', when: 'withCount may name a further relation, or the collection.' },
  'parameter-removed': {
    severity: 'breaking',
    when: 'A parameter is gone.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'parameter-added': { severity: 'safe', when: 'A parameter is new, and requests need not have it.' },
  'parameter-required': {
    severity: 'breaking',
    when: 'Requests must have a parameter.',
    remedy: 'let requests leave it out',
  },
  'parameter-optional': { severity: 'safe', when: 'Requests need no longer have a parameter.' },
  'header-ignored': {
    severity: 'risky',
    when: 'A request header has no effect any more, and responses do not need it.',
  },
  'precondition-required': {
    severity: 'breaking',
    when: 'Writes must name the version that they are about, in If-Match.',
    remedy: 'leave required: true of the version out',
  },
} as const
