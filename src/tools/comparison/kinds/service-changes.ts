/** Types and operations. */
export const serviceChanges = {
  'type-removed': {
    severity: 'breaking',
    when: 'A type is gone.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'type-added': { severity: 'safe', when: 'A type is new.' },
  'operation-removed': {
    severity: 'breaking',
    when: 'An operation is gone.',
    remedy: 'deprecate it with a sunset, and remove it after that day',
    isRemoval: true,
  },
  'operation-added': { severity: 'safe', when: 'An operation is new.' },
  'operation-moved': {
    severity: 'breaking',
    when: 'An operation has another method or path.',
    remedy: 'keep the old path: uriType, withUriFieldName()',
  },
  'operation-id-changed': {
    severity: 'risky',
    when: 'An operation has another id, which generated clients use for names of functions.',
  },
  'component-renamed': {
    severity: 'risky',
    when: 'A component has another name, which generated clients use for names of types.',
  },
} as const
