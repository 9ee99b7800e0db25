/** Pages and limits. */
export const pageChanges = {
  'pages-introduced': {
    severity: 'breaking',
    when: 'A collection that came as a whole comes in pages.',
    remedy: 'keep withoutPagination(), or a paginator without a limit',
  },
  'pages-removed': {
    severity: 'breaking',
    when: 'A collection that came in pages comes as a whole, and page is refused.',
    remedy: 'keep the paginator',
  },
  'page-kind-changed': {
    severity: 'breaking',
    when: 'Pages are selected in another way.',
    remedy: 'offer both kinds: pageMenu([…])',
  },
  'page-kind-removed': { severity: 'breaking', when: 'A kind of pages is gone.', remedy: 'keep it in the menu' },
  'page-kind-added': { severity: 'safe', when: 'A kind of pages is new.' },
  'default-page-kind-changed': { severity: 'risky', when: 'Requests that do not say how get another kind of pages.' },
  'page-key-removed': { severity: 'breaking', when: 'A key of page is gone.', remedy: 'keep the names of the keys' },
  'page-key-added': { severity: 'safe', when: 'A key of page is new.' },
  'page-size-changed': { severity: 'risky', when: 'Pages have another size if a request does not say which.' },
  'page-limit-lowered': {
    severity: 'breaking',
    when: 'Pages have fewer resources than requests may have asked for.',
    remedy: 'keep maxSize',
  },
  'page-limit-raised': { severity: 'safe', when: 'Pages may have more resources.' },
  'limit-lowered': { severity: 'breaking', when: 'A limit of the server is lower.', remedy: 'keep the limit' },
  'limit-raised': { severity: 'safe', when: 'A limit of the server is higher.' },
} as const
