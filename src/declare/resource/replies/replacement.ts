import type { Awaitable } from '../../../core/util/types.js'
import type { Reply } from './reply.js'
import type { MisplacedResponse } from './declared-reply.js'

/** The response that a hook or a listener returns instead of the default one; `null` or `undefined` leave the response unchanged. */
export type Replacement = Awaitable<Reply | MisplacedResponse | null | undefined | void>
