import { inject, test } from 'vitest'

/** For the few tests of what no database can hold or do; their names say what. */
export const onMemory: typeof test = test.runIf(inject('store') === 'memory') as typeof test
