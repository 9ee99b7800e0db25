/** The chapters of the statements, in their order. They are separate from the statements, because the help of the command line needs only the names. */
export const chapterNames = [
  'negotiation',
  'structure',
  'reading',
  'creating',
  'updating',
  'relationships',
  'deleting',
  'parameters',
  'errors',
  'openapi',
  'features',
] as const
