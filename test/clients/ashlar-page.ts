import { createClient } from '@ashlar/client'
import type { Api } from '../../examples/music/src/api.js'
import { type ScenarioName, scenarios, type World } from './ashlar-scenarios.js'

/** Runs a scenario on a page. The test offers `work` to the page. */
export function run(name: ScenarioName, url: string): Promise<unknown> {
  const { work } = globalThis as unknown as Pick<World, 'work'>
  return scenarios[name]({ client: createClient<Api>({ url }), work })
}
