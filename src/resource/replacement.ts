import type { Awaitable } from '../util/types.js'
import type { Answer } from './answer.js'
import type { MisplacedResponse } from './declared-answer.js'

/** The response that a hook or a listener returns instead of the default one; `null` or `undefined` leave the response unchanged. */
export type Replacement = Awaitable<Answer | MisplacedResponse | null | undefined | void>
