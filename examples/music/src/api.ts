import type { ApiOf } from 'ashlar'
import type { musicServer } from './service.js'

/** The contract of the service, for typed clients. */
export interface Api extends ApiOf<ReturnType<typeof musicServer>> {}
