import { inject, test } from 'vitest'

/** For the few tests of behaviour that no database has; their names describe it. */
export const onMemory: typeof test = test.runIf(inject('store') === 'memory') as typeof test
