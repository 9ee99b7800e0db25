import { thrownMessage } from '../../../errors/describe-thrown.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { ReplicaState } from './replicated-database.js'

/** Returns a sentence for each replica that is not used. The tables of replicas are not checked: they are copies. */
export function replicaProblems(states: readonly ReplicaState[], { schema }: SqlDialect): readonly string[] {
  return states.flatMap(({ problem }, index) => {
    if (problem === null) return []
    return [`Nothing is read from replicas[${index}]: ${schema.describeFailure(problem) ?? thrownMessage(problem)}`]
  })
}
