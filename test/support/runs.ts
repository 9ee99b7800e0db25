import { inject } from 'vitest'

/** A run over a database takes several times as long as one over memory. */
const fewer = 5

/** How often a property is tried on the store under test, by how often it is on memory. */
export function runs(onMemory: number): number {
  return inject('store') === 'memory' ? onMemory : Math.ceil(onMemory / fewer)
}
