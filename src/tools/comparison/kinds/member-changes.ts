/** Attributes, relations, and members of their values. */
export const memberChanges = {
  'member-removed': {
    severity: 'breaking',
    when: 'An attribute, a relation or a member of a value is gone.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'member-added': {
    severity: 'safe',
    when: 'An attribute, a relation or a member of a value is new, and optional in requests.',
  },
  'member-required': {
    severity: 'breaking',
    when: 'A member is required in requests.',
    remedy: 'make it optional, with a default',
  },
  'member-optional': { severity: 'safe', when: 'A member is optional in requests.' },
  'member-not-shown': {
    severity: 'breaking',
    when: 'Responses no longer have a member that requests may still have.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'member-shown': { severity: 'safe', when: 'Responses have a member that only requests had.' },
  'member-not-always-shown': {
    severity: 'breaking',
    when: 'Responses may lack a member that they always had.',
    remedy: 'show it in every response, or deprecate it first',
  },
  'member-always-shown': { severity: 'safe', when: 'Responses always have a member that they could lack.' },
  'member-read-only': {
    severity: 'breaking',
    when: 'Requests can no longer have a member that responses still have.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'member-writable': { severity: 'safe', when: 'Requests may have a member that only responses had.' },
} as const
