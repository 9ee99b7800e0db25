/** Relations and ids. */
export const relationChanges = {
  'relation-kind-changed': {
    severity: 'breaking',
    when: 'A to-one relation is to-many now, or the reverse.',
    remedy: 'keep the old one next to the new one, and deprecate it with a sunset',
  },
  'request-target-removed': {
    severity: 'breaking',
    when: 'Requests cannot relate to one of several types.',
    remedy: 'keep the type among the targets',
  },
  'request-target-added': { severity: 'safe', when: 'Requests may relate to another type.' },
  'response-target-added': { severity: 'risky', when: 'A relation may refer to another type.' },
  'response-target-removed': { severity: 'safe', when: 'A relation no longer refers to one of several types.' },
  'client-id-required': {
    severity: 'breaking',
    when: 'Clients must send the ids of new resources.',
    remedy: 'use allowClientId() instead of requireClientId()',
  },
  'client-id-refused': {
    severity: 'breaking',
    when: 'Clients cannot send the ids of new resources.',
    remedy: 'keep allowClientId()',
  },
  'client-id-optional': { severity: 'safe', when: 'Clients no longer need to send the ids of new resources.' },
  'client-id-accepted': { severity: 'safe', when: 'Clients may send the ids of new resources.' },
} as const
