/** Security and addresses. */
export const securityChanges = {
  'credentials-required': {
    severity: 'breaking',
    when: 'Requests need credentials.',
    remedy: 'permit the ability without a caller, or open another path',
  },
  'credentials-sometimes-required': { severity: 'risky', when: 'Some requests need credentials.' },
  'credentials-not-required': { severity: 'risky', when: 'Requests need no credentials.' },
  'scheme-removed': {
    severity: 'breaking',
    when: 'An authentication scheme is gone.',
    remedy: 'keep the middleware next to the new one',
  },
  'scheme-added': { severity: 'safe', when: 'There is a new authentication scheme.' },
  'scheme-changed': {
    severity: 'breaking',
    when: 'An authentication scheme has changed.',
    remedy: 'keep the old one next to the new one, and deprecate it with a sunset',
  },
  'address-removed': {
    severity: 'breaking',
    when: 'An address of the service is gone.',
    remedy: 'keep the prefix, or list the old address',
  },
  'address-added': { severity: 'safe', when: 'The service has a new address.' },
  'profile-removed': { severity: 'breaking', when: 'A profile is no longer supported.', remedy: 'keep it' },
  'profile-added': { severity: 'safe', when: 'A new profile is supported.' },
} as const
