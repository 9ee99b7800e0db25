import { inject } from 'vitest'

/** Scales a time limit, in milliseconds, by how slow the machine was at the start of the run. */
export function patience(milliseconds: number): number {
  return Math.ceil(milliseconds * inject('slowness'))
}
