import * as fc from 'fast-check'
import { inject } from 'vitest'

// Every property of a run starts from one seed, so that a run can be repeated: see vitest.config.ts.
fc.configureGlobal({ seed: inject('seed') })
