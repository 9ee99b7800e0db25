/** Values. */
export const valueChanges = {
  'value-type-changed': {
    severity: 'breaking',
    when: 'Values have another type.',
    remedy: 'keep the old one next to the new one, and deprecate it with a sunset',
  },
  'value-form-changed': {
    severity: 'breaking',
    when: 'Values are written in another form, such as dates.',
    remedy: 'keep the old one next to the new one, and deprecate it with a sunset',
  },
  'request-null-refused': {
    severity: 'breaking',
    when: 'Requests cannot have null as a value.',
    remedy: 'replace null by a default value',
  },
  'request-null-accepted': { severity: 'safe', when: 'Requests may have null as a value.' },
  'response-null-possible': {
    severity: 'breaking',
    when: 'Responses may have null as a value.',
    remedy: 'show a value that means none',
  },
  'response-null-gone': { severity: 'safe', when: 'Responses no longer have null as a value.' },
  'request-value-removed': {
    severity: 'breaking',
    when: 'Requests cannot have one of the listed values.',
    remedy: 'map the old value to a new one',
  },
  'request-value-added': { severity: 'safe', when: 'Requests may have a new value of a list.' },
  'response-value-added': { severity: 'risky', when: 'Responses may have a new value of a list.' },
  'response-value-removed': { severity: 'safe', when: 'Responses no longer have one of the listed values.' },
  'request-rule-tightened': {
    severity: 'breaking',
    when: 'Requests have a stricter rule.',
    remedy: 'apply it only to new resources, or to a new member',
  },
  'request-rule-loosened': { severity: 'safe', when: 'Requests have a looser rule.' },
  'request-rule-changed': {
    severity: 'risky',
    when: 'Requests have another rule, and it is unknown whether it is stricter.',
  },
  'response-rule-loosened': { severity: 'risky', when: 'Responses may have values that an earlier rule excluded.' },
  'response-rule-tightened': { severity: 'safe', when: 'Responses have fewer values than before.' },
  'response-rule-changed': { severity: 'risky', when: 'Responses have values by another rule.' },
  'request-variant-removed': {
    severity: 'breaking',
    when: 'Requests cannot have one of several forms of a value.',
    remedy: 'accept the old form too',
  },
  'request-variant-added': { severity: 'safe', when: 'Requests may have a new form of a value.' },
  'response-variant-added': { severity: 'risky', when: 'Responses may have a new form of a value.' },
  'response-variant-removed': { severity: 'safe', when: 'Responses no longer have one of several forms of a value.' },
  'default-changed': { severity: 'risky', when: 'A request without a value gets another default.' },
} as const
