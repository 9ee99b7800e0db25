/** Deprecations and texts. */
export const deprecationChanges = {
  'deprecation-added': { severity: 'safe', when: 'Something is deprecated.' },
  'deprecation-removed': { severity: 'safe', when: 'Something is no longer deprecated.' },
  'sunset-earlier': { severity: 'risky', when: 'The sunset of something deprecated is earlier.' },
  'sunset-later': { severity: 'safe', when: 'The sunset of something deprecated is later.' },
  'text-changed': {
    severity: 'safe',
    when: 'A description, a title, an example or a tag has changed. Listed with --all.',
  },
} as const
