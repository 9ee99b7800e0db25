/** Security and addresses. */
export const securityChanges = {
  'credentials-required': {
    severity: 'breaking',
    when: 'Requests need credentials.',
    remedy: 'permit the ability to nobody in particular, or open another path',
  },
  'credentials-sometimes-required': { severity: 'risky', when: 'Some requests need credentials.' },
  'credentials-not-required': { severity: 'risky', when: 'Requests need no credentials.' },
  'scheme-removed': {
    severity: 'breaking',
    when: 'A way to authenticate is gone.',
    remedy: 'keep the middleware beside the new one',
  },
  'scheme-added': { severity: 'safe', when: 'There is a further way to authenticate.' },
  'scheme-changed': {
    severity: 'breaking',
    when: 'A way to authenticate works otherwise.',
    remedy: 'keep the old one beside it, and deprecate that with a sunset',
  },
  'address-removed': {
    severity: 'breaking',
    when: 'An address of the service is gone.',
    remedy: 'keep the prefix, or list the old address',
  },
  'address-added': { severity: 'safe', when: 'There is a further address of the service.' },
  'profile-removed': { severity: 'breaking', when: 'A profile is no longer supported.', remedy: 'keep it' },
  'profile-added': { severity: 'safe', when: 'A further profile is supported.' },
} as const
