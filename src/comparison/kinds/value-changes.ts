/** Values. */
export const valueChanges = {
  'value-type-changed': {
    severity: 'breaking',
    when: 'Values have another type.',
    remedy: 'keep the old one beside it, and deprecate that with a sunset',
  },
  'value-form-changed': {
    severity: 'breaking',
    when: 'Values are written in another form, such as dates.',
    remedy: 'keep the old one beside it, and deprecate that with a sunset',
  },
  'request-null-refused': {
    severity: 'breaking',
    when: 'Requests cannot have null as a value.',
    remedy: 'take null for a default value',
  },
  'request-null-accepted': { severity: 'safe', when: 'Requests may have null as a value.' },
  'response-null-possible': {
    severity: 'breaking',
    when: 'Responses may have null as a value.',
    remedy: 'show a value that stands for none',
  },
  'response-null-gone': { severity: 'safe', when: 'Responses no longer have null as a value.' },
  'request-value-removed': {
    severity: 'breaking',
    when: 'Requests cannot have one of the listed values.',
    remedy: 'take the old value for a new one',
  },
  'request-value-added': { severity: 'safe', when: 'Requests may have a further value of a list.' },
  'response-value-added': { severity: 'risky', when: 'Responses may have a further value of a list.' },
  'response-value-removed': { severity: 'safe', when: 'Responses no longer have one of the listed values.' },
  'request-rule-tightened': {
    severity: 'breaking',
    when: 'Requests are held to a tighter rule.',
    remedy: 'hold only new resources to it, or a new member',
  },
  'request-rule-loosened': { severity: 'safe', when: 'Requests are held to a looser rule.' },
  'request-rule-changed': {
    severity: 'risky',
    when: 'Requests are held to another rule, and it cannot be said whether that is tighter.',
  },
  'response-rule-loosened': { severity: 'risky', when: 'Responses may have values that an earlier rule excluded.' },
  'response-rule-tightened': { severity: 'safe', when: 'Responses have fewer values than before.' },
  'response-rule-changed': { severity: 'risky', when: 'Responses have values by another rule.' },
  'request-variant-removed': {
    severity: 'breaking',
    when: 'Requests cannot have one of several forms of a value.',
    remedy: 'take the old form too',
  },
  'request-variant-added': { severity: 'safe', when: 'Requests may have a further form of a value.' },
  'response-variant-added': { severity: 'risky', when: 'Responses may have a further form of a value.' },
  'response-variant-removed': { severity: 'safe', when: 'Responses no longer have one of several forms of a value.' },
  'default-changed': { severity: 'risky', when: 'What applies to a request without a value is another value.' },
} as const
