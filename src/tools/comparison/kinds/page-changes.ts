/** Pages and limits. */
export const pageChanges = {
  'pages-introduced': {
    severity: 'breaking',
    when: 'A collection that was returned as a whole is split into pages.',
    remedy: 'keep withoutPagination(), or a paginator without a limit',
  },
  'pages-removed': {
    severity: 'breaking',
    when: 'A collection that had pages is returned as a whole, and page is refused.',
    remedy: 'keep the paginator',
  },
  'page-kind-changed': {
    severity: 'breaking',
    when: 'Pages have another kind.',
    remedy: 'offer both kinds: pageMenu([…])',
  },
  'page-kind-removed': { severity: 'breaking', when: 'A kind of pages is gone.', remedy: 'keep it in the menu' },
  'page-kind-added': { severity: 'safe', when: 'A kind of pages is new.' },
  'default-page-kind-changed': { severity: 'risky', when: 'Requests without a kind get another kind of pages.' },
  'page-key-removed': { severity: 'breaking', when: 'A key of page is gone.', remedy: 'keep the names of the keys' },
  'page-key-added': { severity: 'safe', when: 'A key of page is new.' },
  'page-size-changed': { severity: 'risky', when: 'Pages have another default size.' },
  'page-limit-lowered': {
    severity: 'breaking',
    when: 'The largest page size is lower.',
    remedy: 'keep maxSize',
  },
  'page-limit-raised': { severity: 'safe', when: 'The largest page size is higher.' },
  'limit-lowered': {
    severity: 'breaking',
    when: 'A limit of the server, or of an export, is lower.',
    remedy: 'keep the limit',
  },
  'limit-raised': { severity: 'safe', when: 'A limit of the server, or of an export, is higher.' },
} as const
