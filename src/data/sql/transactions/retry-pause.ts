import { setTimeout as sleep } from 'node:timers/promises'

/** The longest pause before a retry, in milliseconds. */
export const maxRetryWait = 1000

/**
 * Waits before a retry, longer after each one. The delay is random, since the retries of other processes are independent: equal delays
 * would lead to the same conflict.
 *
 * @param retry the number of the retry, from 0 on
 */
export function retryPause(retry: number): Promise<void> {
  return sleep(Math.min(maxRetryWait, 10 * 2 ** retry) * (0.5 + Math.random()))
}
